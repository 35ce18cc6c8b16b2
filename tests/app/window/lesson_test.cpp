// SPDX-License-Identifier: MIT
// The lesson of docs/guide/lesson.md, walked by keys.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/maps/explain.hpp"
#include "tests/app/window/window_fixture.hpp"

namespace orrery::test {
namespace {

using Json = WindowDriver::Json;

class LessonWindow : public WindowTest {
protected:
    /// 500 bodies in 16 rows of tiles, on the page Maps.
    static std::unique_ptr<WindowDriver> open_maps(const std::string& map) {
        auto window = open_paused({"plummer", "--bodies", "500", "--engine", "half", "--backend", "cpu", "--rows", "32",
                                   "--map", map, "--fresh"});
        window->click("Maps");
        window->wait_for("the picture",
                         [&](const Json& s) { return window->shows("Triangle") && s["map_shown"]["rows"] == 16; });
        window->xdotool({"mousemove", "200", "560"});  // off the drawing
        return window;
    }
    static std::string worked(const std::string& map_id, Block block) {
        return fmt::format("{}", fmt::join(worked_out(map(map_id), root("sqrt"), block, 16), ", "));
    }
};

TEST_F(LessonWindow, WalkPlaysPausesStepsAndShowsTheArithmeticOfEachBlock) {
    auto window = open_maps("bb");
    window->key("j");
    window->wait_for("a walk", [](const Json& s) { return s["map_lesson"]["playing"] == true; });
    window->wait_for("some blocks", [](const Json& s) { return s["map_lesson"]["block"] >= 3; });
    window->key("j");
    window->wait_for("a pause", [](const Json& s) { return s["map_lesson"]["playing"] == false; });
    const std::uint64_t at = window->state("map_lesson")["block"];
    window->key("u");
    window->wait_for("the next block", [&](const Json& s) {
        return s["map_lesson"]["block"] == at + 1 && s["map_worked"] == worked("bb", {(at + 1) % 16, (at + 1) / 16});
    });
    for (std::uint64_t block = at; block + 1 > 0; --block) {
        window->key("shift+u");
        window->wait_for("the block before", [&](const Json& s) { return s["map_lesson"]["block"] == block; });
        if (block == 0) break;
    }
    window->key("u");
    window->wait_for("an idle block", [&](const Json& s) {
        return s["map_hover"] == "block (1, 0) → no tile: wasted" && s["map_worked"] == "1 > 0";
    });
    window->key("shift+u");
    window->wait_for("block 0", [](const Json& s) { return s["map_lesson"]["block"] == 0; });
    window->key("shift+u");
    window->wait_for("the last block", [&](const Json& s) {
        return s["map_lesson"]["block"] == 255 && s["map_hover"] == "block (15, 15) → tile (15, 15)";
    });
    window->click("End walk");
    window->wait_for("no walk", [](const Json& s) { return s["map_lesson"]["walking"] == false; });
}

TEST_F(LessonWindow, WalkLoopsAtAnySpeed) {
    auto window = open_maps("lambda");
    window->key("j");
    window->point_at("Blocks per second", 0.99);
    window->xdotool({"click", "1"});
    window->wait_for("a high speed", [](const Json& s) { return s["map_lesson"]["speed"] > 1000; });
    window->wait_for("all blocks done", [](const Json& s) { return s["map_lesson"]["block"] >= 136; });
    window->wait_for("the beginning again", [](const Json& s) { return s["map_lesson"]["block"] < 136; });
    window->point_at("Blocks per second", 0.01);
    window->xdotool({"click", "1"});
    window->wait_for("a low speed", [](const Json& s) { return s["map_lesson"]["speed"] < 0.1; });
    EXPECT_EQ(window->state("map_lesson")["playing"], true);
}

TEST_F(LessonWindow, TwoMapsAreDrawnSideBySideAndWiped) {
    auto window = open_maps("lambda");
    window->key("shift+m");
    window->wait_for("bb beside λ", [&](const Json& s) {
        return s["map_lesson"]["second"] == "bb" && s["map_lesson"]["blocks"] == 256 &&
               window->shows("Second triangle");
    });
    window->key("u");
    window->wait_for("both at block 0", [](const Json& s) { return s["map_hover"] == "block (0, 0) → tile (0, 0)"; });
    window->point_at("Second triangle", 0.03);  // the lowest tile is in the middle of the height: tile (8, 0)
    window->wait_for("the block of the same tile in λ", [&](const Json& s) {
        return s["map_hover"] == "block (36, 0) → tile (8, 0)" && s["map_worked"] == worked("lambda", {36, 0});
    });
    window->click("Wiped");
    window->wait_for("one drawing", [&](const Json& s) {
        return s["map_lesson"]["wiped"] == true && !window->shows("Second triangle");
    });
    window->point_at("Triangle", 0.2);
    window->xdotool({"click", "1"});
    window->wait_for("the divider there",
                     [](const Json& s) { return std::abs(s["map_lesson"]["divider"].get<double>() - 0.2) < 0.05; });
    for (std::size_t press = 0; press < maps().size(); ++press) window->key("shift+m");
    window->wait_for("one map", [](const Json& s) { return s["map_lesson"]["second"] == ""; });
}

TEST_F(LessonWindow, LoopInsideATilePlaysStepByStep) {
    auto window = open_maps("lambda");
    window->click("Inside a tile");
    window->wait_for("the loop", [](const Json& s) { return s["tile_lesson"]["shown"] == true; });
    window->key("u");
    window->wait_for("block 0 loads its tile", [](const Json& s) {
        return s["map_lesson"]["block"] == 0 && s["tile_lesson"]["step"] == 0 && s["tile_lesson"]["pairs"] == 0;
    });
    window->point_at("Blocks per second", 0.01);
    window->xdotool({"click", "1"});
    window->wait_for("a low speed", [](const Json& s) { return s["map_lesson"]["speed"] < 0.1; });
    window->key("j");
    window->wait_for("its first step, a pair for each of 8 threads",
                     [](const Json& s) { return s["tile_lesson"]["step"] == 1 && s["tile_lesson"]["pairs"] == 8; });
    window->key("j");
    window->wait_for("a pause", [](const Json& s) { return s["map_lesson"]["playing"] == false; });
    window->click("All rows");
    window->click("u = 4");
    window->click("q = 2");
    window->click("k = 2");
    window->wait_for("2 steps of 8 · 2 · 2 threads and rows, 4 columns each", [](const Json& s) {
        const Json& tile = s["tile_lesson"];
        return tile["loop"] == "rows" && tile["steps"] == 2 && (tile["step"] == 0 || tile["pairs"] == 8 * 2 * 2 * 4);
    });
    window->click("Blocks");
    window->wait_for("the launch", [](const Json& s) { return s["tile_lesson"]["shown"] == false; });
}

TEST_F(LessonWindow, PresenterShowsTheDrawingAloneInLargeLetters) {
    auto window = open_maps("bb");
    const auto height = [&] {
        const auto place = window->map().at("widgets").at("Triangle").get<std::vector<double>>();
        return place[3] - place[1];
    };
    const double before = height();
    window->key("t");
    window->wait_for("the drawing alone", [&](const Json& s) {
        return s["presenter"] == true && s["panels"] == false && window->shows("Triangle") && !window->shows("Walk");
    });
    window->wait_frames(5);
    EXPECT_GT(height(), 0.8 * before);
    window->key("j");
    window->wait_for("a walk without the sidebar",
                     [](const Json& s) { return s["map_lesson"]["playing"] == true && s["panels"] == false; });
    window->key("l");
    window->wait_for("the laboratory", [](const Json& s) { return s["panel"] == "lab"; });
    window->key("t");
    window->wait_for("the pages", [&](const Json& s) { return s["presenter"] == false && s["panels"] == true; });
}

TEST_F(LessonWindow, BlocksOfTriplesAreExplainedToo) {
    auto window = open({"plummer", "--bodies", "100", "--engine", "triplet", "--backend", "cpu", "--rows", "16"});
    window->wait_for("a step, so that the engine reports its tiles", [](const Json& s) { return s["step"] > 0; });
    window->click("Maps");
    window->wait_for("its map", [](const Json& s) { return s["map_shown"]["layers"] == 7; });
    window->key("u");
    window->key("u");
    window->key("u");
    window->wait_for("block 2", [](const Json& s) {
        return s["map_hover"] == "block (2, 0, 0) → triple (0, 1, 1)" &&
               s["map_worked"].get<std::string>().starts_with("ω = 2, ");
    });
}

TEST_F(LessonWindow, CellsAcceptedForThePickedBodyAreShown) {
    auto window = open_paused({"plummer", "--bodies", "2000", "--engine", "tree", "--backend", "cpu"});
    window->key("shift+o");
    window->wait_for("the drawing", [](const Json& s) { return s["opening"]["on"] == true; });
    window->click("Body");
    window->type_into("Pick number", "7");
    window->wait_for("cells for all bodies", [](const Json& s) {
        const Json& opening = s["opening"];
        return opening["accepted"] > 0 && opening["near_bodies"] > 0 &&
               opening["in_accepted"].get<int>() + opening["near_bodies"].get<int>() == 2000;
    });
    const int accepted = window->state("opening")["accepted"];
    window->point_at("Opening angle θ", 0.1);
    window->xdotool({"click", "1"});
    window->wait_for("a smaller angle", [&](const Json& s) { return s["opening"]["accepted"] > accepted; });
    window->key("shift+o");
    window->wait_for("no drawing", [](const Json& s) { return s["opening"]["on"] == false; });
}

TEST_F(LessonWindow, LaboratoryStatesItsResultInWords) {
    auto window = open_paused({"plummer", "--bodies", "500", "--backend", "cpu"});
    window->key("l");
    window->choose("Experiment", "Wasted blocks");
    window->type_into("N to", "2048");
    window->click("Start");
    window->wait_for("a sentence", [](const Json& s) {
        return s["lab"]["running"] == false && s["lab"]["sentence"].get<std::string>().starts_with("With N = 2 048 ");
    });
    EXPECT_NE(window->state("lab")["sentence"].get<std::string>().find("1.984 ×"), std::string::npos);
}

}  // namespace
}  // namespace orrery::test
