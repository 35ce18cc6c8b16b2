// SPDX-License-Identifier: MIT
#include <fstream>

#include "app/scene/scene_file.hpp"
#include "core/engines/menu.hpp"
#include "tests/app/window/drag_source.hpp"
#include "tests/app/window/window_fixture.hpp"

namespace orrery::test {
namespace {

bool contains(const nlohmann::json& text, const std::string& part) {
    return text.get<std::string>().find(part) != std::string::npos;
}

class ScenesWindow : public WindowTest {};

TEST_F(ScenesWindow, ShippedSceneIsSelectedByClicks) {
    auto window = open({"plummer", "--bodies", "500", "--width", "480", "--height", "270"});
    window->click("Setup");
    window->choose("Scene file", "Three bodies on one curve");
    window->wait_for("the scene", [](const Json& s) { return s["scene"] == "figure-eight" && s["bodies"] == 3; });
    window->wait_for("its engine", [](const Json& s) { return s["precision"] == "double"; });
    EXPECT_EQ(window->state("scene_file"), "three-bodies");
    EXPECT_TRUE(contains(window->state("card")["watch"], "figure eight"));
    window->click("Setup");                           // the scene has opened another panel
    window->choose("Preset", "Pythagorean problem");  // a preset has no scene file
    window->wait_for("a preset", [](const Json& s) { return s["scene_file"] == "" && s["scene"] == "pythagorean"; });
}

TEST_F(ScenesWindow, SitesAndDisplacementsAreSelectedByClicks) {
    auto window = open({"zeldovich", "--bodies", "500", "--seed", "3", "--height", "900"});
    window->click("Setup");
    window->choose("Sites", "Glass");
    window->wait_for("a glass", [](const Json& s) { return s["sites"] == "glass" && s["loading"] == false; });
    window->choose("Displaced", "Second order");
    window->wait_for("second order, still from a glass", [](const Json& s) {
        return s["displacements"] == "2lpt" && s["sites"] == "glass" && s["seed"] == 3 && s["bodies"] == 500;
    });
    window->choose("Preset", "Solar system");
    window->wait_for("a preset without either",
                     [](const Json& s) { return s["sites"] == "" && s["scene"] != "zeldovich"; });
}

/// Otherwise a galaxy would continue with all pairs in double precision on the CPU, whatever the machine offers.
TEST_F(ScenesWindow, EngineOfASceneFileEndsWithTheScene) {
    auto window = open({"plummer", "--bodies", "500", "--engine", "tree", "--width", "480", "--height", "270"});
    const auto tree = [backend = window->state("backend")](const Json& s) {
        return s["engine"] == "tree" && s["precision"] == "single" && s["backend"] == backend;
    };
    const auto its_own = [](const Json& s) {
        return s["engine"] == "direct" && s["precision"] == "double" && s["backend"] == "cpu";
    };
    window->click("Setup");
    window->choose("Scene file", "Three bodies on one curve");
    window->wait_for("its own engine", [&](const Json& s) { return s["scene"] == "figure-eight" && its_own(s); });
    window->click("Setup");
    window->choose("Scene file", "The inner planets");
    window->wait_for("its own engine", [&](const Json& s) { return s["scene"] == "solar-system" && its_own(s); });
    window->click("Setup");
    window->choose("Scene file", "A star cluster in equilibrium");  // does not name an engine
    window->wait_for("the user's engine", [&](const Json& s) { return s["scene"] == "plummer" && tree(s); });
    window->click("Setup");  // the previous scene has opened another panel
    window->choose("Scene file", "Three bodies on one curve");
    window->wait_for("its own engine", [&](const Json& s) { return s["scene"] == "figure-eight" && its_own(s); });
    window->key("3");  // selected by the user: it stays
    window->wait_for("another engine",
                     [](const Json& s) { return s["engine"] == "tree" && s["precision"] == "double"; });
    window->click("Setup");
    window->choose("Preset", "Pythagorean problem");
    window->wait_for("the same engine", [](const Json& s) {
        return s["scene_file"] == "" && s["engine"] == "tree" && s["precision"] == "double";
    });
}

TEST_F(ScenesWindow, PresetSelectsTheEngineItNeeds) {
    auto window = open({"argon-cluster", "--bodies", "64", "--width", "480", "--height", "270"});
    EXPECT_EQ(window->state("engine"), "triplet");
    window->click("Setup");
    window->choose("Preset", "Plummer sphere");
    window->wait_for("gravity", [](const Json& s) { return s["scene"] == "plummer" && s["engine"] != "triplet"; });
    auto chosen = open({"plummer", "--bodies", "64", "--engine", "half", "--width", "480", "--height", "270"});
    chosen->click("Setup");
    chosen->choose("Preset", "Argon cluster");
    chosen->wait_for("triplets",
                     [](const Json& s) { return s["scene"] == "argon-cluster" && s["engine"] == "triplet"; });
    chosen->choose("Preset", "Plummer sphere");
    chosen->wait_for("the previous engine",
                     [](const Json& s) { return s["scene"] == "plummer" && s["engine"] == "half"; });
}

TEST_F(ScenesWindow, EngineOfTheFirstSceneEndsWithIt) {
    auto window = open({"three-bodies"});
    EXPECT_EQ(window->state("precision"), "double");
    window->key("bracketright");
    window->wait_for("the default engine", [](const Json& s) {
        return s["scene"] == scene_after("figure-eight") && s["engine"] == "direct" && s["precision"] == "single" &&
               s["backend"] == name(default_backend("direct"));
    });
}

TEST_F(ScenesWindow, SavedSceneRoundTrips) {
    auto window = open({"cold-sphere", "--bodies", "700", "--seed", "5", "--engine", "half", "--backend", "cpu"});
    window->key("Tab");
    window->key("Tab");
    window->key("o");
    window->key("m");
    window->wait_for("the next map", [](const Json& s) { return s["map"] != "lambda"; });
    window->xdotool({"key", "ctrl+s"});
    window->wait_for("a file", [](const Json& s) { return s["last_scene"] != ""; });
    const std::string map = window->state("map");
    const auto path = scratch() / "orrery_saved_scene.toml";
    std::filesystem::copy_file(window->state("last_scene").get<std::string>(), path,
                               std::filesystem::copy_options::overwrite_existing);
    const double yaw = window->state("camera_yaw"), distance = window->state("camera_distance");
    window.reset();

    auto again = open({path.string()});
    const Json s = again->state();
    EXPECT_EQ(s["scene"], "cold-sphere");
    EXPECT_EQ(s["bodies"], 700);
    EXPECT_EQ(s["seed"], 5);
    EXPECT_EQ(s["engine"], "half");
    EXPECT_EQ(s["map"], map);
    EXPECT_EQ(s["octree"]["on"], true);
    again->wait_for("the camera", [&](const Json& now) {
        return std::abs(now["camera_distance"].get<double>() / distance - 1) < 1e-6 &&
               std::abs(now["camera_yaw"].get<double>() - yaw) < 1e-6;
    });
}

TEST_F(ScenesWindow, SceneGivenAtStartKeepsItsSpeed) {
    auto window = open({"half-matrix", "--bodies", "500"});
    window->wait_for("no limit", [](const Json& s) { return s["speed_limit"] == 0; });
    EXPECT_EQ(window->state("panel"), "maps");
    EXPECT_EQ(window->state("engine"), "half");
}

TEST_F(ScenesWindow, DroppedSceneFileIsOpened) {
    auto window = open_paused({"plummer", "--bodies", "500"});
    const auto file = window->folder() / "dropped.toml";
    std::ofstream{file} << "[scene]\ntitle = \"Mine\"\npreset = \"cold-sphere\"\nbodies = 77\n[view]\nexposure = 2\n";
    EXPECT_TRUE(drop_file(window->display(), file, 640, 320));
    window->wait_for("the scene", [](const Json& s) { return s["bodies"] == 77 && s["exposure"] == 2; });
}

TEST_F(ScenesWindow, ErrorInASceneFileNamesItsPosition) {
    auto window = open_paused({"plummer", "--bodies", "500", "--height", "900"});
    std::ofstream{window->folder() / "wrong.toml"} << "[scene]\npreset = \"plummer\"\nboddies = 3\n";
    window->click("Setup");
    window->type_into("File", "wrong.toml");
    window->click("Load");
    window->wait_for("a refusal", [](const Json& s) { return contains(s["message"], "wrong.toml:3:1"); });
    EXPECT_EQ(window->state("bodies"), 500);  // nothing has changed
}

}  // namespace
}  // namespace orrery::test
