// SPDX-License-Identifier: MIT
// The steps of docs/guide/window.md, "The first minute": by keys, by clicks, by dropping a file.
#include "core/formats/formats.hpp"
#include "core/presets/presets.hpp"
#include "tests/app/window/drag_source.hpp"
#include "tests/app/window/window_fixture.hpp"

namespace orrery::test {
namespace {

/// Movements, clicks and keys, each letter of the file name counted: at two seconds each, well below a minute.
constexpr int kMostActs = 25;
using Json = WindowDriver::Json;

void recorded(WindowDriver& window, const std::function<void()>& start, const std::function<void()>& stop) {
    start();
    window.wait_for("a clip", [](const Json& s) { return s["recording"] == true && s["recorded_frames"] >= 3; });
    stop();
    window.wait_for("its end", [](const Json& s) {
        return s["recording"] == false && s["message"].get<std::string>().starts_with("Saved ");
    });
    const std::filesystem::path film = window.state("recording_path").get<std::string>();
    EXPECT_NE(window.state("message").get<std::string>().find(film.filename()), std::string::npos);
}

class NewcomerWindow : public WindowTest {};

TEST_F(NewcomerWindow, FirstMinuteWorksByKeys) {
    auto window = open({"--fresh"});
    const auto file = window->folder() / "mine.csv";
    write_snapshot(make_preset("plummer", {321, 5}), file);

    window->key("m");
    window->wait_for("a hint which key to press",
                     [](const Json& s) { return s["message"].get<std::string>().find("key 2") != std::string::npos; });
    window->key("2");
    window->wait_for("the engine with maps", [](const Json& s) { return s["engine"] == "half"; });
    const std::string map = window->state("map");
    window->key("m");
    window->wait_for("another map", [&](const Json& s) { return s["map"] != map; });

    recorded(
        *window, [&] { window->key("r"); }, [&] { window->key("r"); });

    window->key("ctrl+o");
    window->wait_for_typing();
    window->type("mine.csv");
    window->key("Return");
    window->wait_for("the file", [](const Json& s) { return s["bodies"] == 321; });
    EXPECT_EQ(window->state("scene"), "mine.csv");
    EXPECT_LE(window->acts(), kMostActs);
}

TEST_F(NewcomerWindow, FirstMinuteWorksByClicks) {
    auto window = open({"--fresh"});
    const auto file = window->folder() / "mine.csv";
    write_snapshot(make_preset("plummer", {321, 5}), file);

    window->click("Maps");
    window->click("Compute with half");
    window->wait_for("the engine with maps", [](const Json& s) { return s["engine"] == "half"; });
    window->choose("Map", "Rectangular box (rb)");
    window->wait_for("another map", [](const Json& s) { return s["map"] == "rb"; });

    window->click("Recording");
    recorded(
        *window, [&] { window->click("Start recording"); }, [&] { window->click("Stop recording"); });

    EXPECT_TRUE(drop_file(window->display(), file, 800, 400));
    window->wait_for("the file", [](const Json& s) { return s["bodies"] == 321; });
    EXPECT_LE(window->acts(), kMostActs);
}

TEST_F(NewcomerWindow, DefaultEngineSuitsTheSceneUntilOneIsChosen) {
    auto window = open({"plummer", "--bodies", "5000", "--fresh"});
    EXPECT_EQ(window->state("engine"), "tree");
    write_snapshot(make_preset("plummer", {300}), window->folder() / "few.csv");
    write_snapshot(make_preset("plummer", {6000}), window->folder() / "many.csv");
    EXPECT_TRUE(drop_file(window->display(), window->folder() / "few.csv", 800, 400));
    window->wait_for("all pairs", [](const Json& s) { return s["bodies"] == 300 && s["engine"] == "direct"; });
    EXPECT_TRUE(drop_file(window->display(), window->folder() / "many.csv", 800, 400));
    window->wait_for("a tree", [](const Json& s) { return s["bodies"] == 6000 && s["engine"] == "tree"; });
    window->key("2");
    window->wait_for("the engine chosen", [](const Json& s) { return s["engine"] == "half"; });
    EXPECT_TRUE(drop_file(window->display(), window->folder() / "few.csv", 800, 400));
    window->wait_for("few bodies", [](const Json& s) { return s["bodies"] == 300; });
    EXPECT_EQ(window->state("engine"), "half") << "a chosen engine must stay";
}

TEST_F(NewcomerWindow, AutomaticReportsTheAcceptedError) {
    auto window = open({"plummer", "--bodies", "8000", "--fresh"});
    window->key("4");
    window->wait_for("a choice by trial", [](const Json& s) {
        return s["engine"] == "auto" &&
               s["engine_choice"].get<std::string>().find("with errors of 0.001") != std::string::npos;
    });
    window->click("Forces");
    window->choose("Opening", "none: exact engines only");
    window->wait_for("an exact one", [](const Json& s) {
        const std::string choice = s["engine_choice"];
        return !choice.empty() && choice.find("with errors") == std::string::npos;
    });
}

}  // namespace
}  // namespace orrery::test
