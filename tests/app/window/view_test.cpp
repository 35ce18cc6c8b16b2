// SPDX-License-Identifier: MIT
// The View page: colours, trails, exposure.
#include <cmath>

#include "core/formats/formats.hpp"
#include "tests/app/window/window_fixture.hpp"

namespace orrery::test {
namespace {

using Json = WindowDriver::Json;

class ViewWindow : public WindowTest {};

TEST_F(ViewWindow, ColourModesApplyOrExplainWhyNot) {
    auto window = open({"plummer", "--bodies", "500", "--backend", "cpu", "--engine", "direct"});
    window->click("View");
    EXPECT_EQ(window->state("color_by"), "speed");
    window->choose("Colour by", "Potential");
    window->wait_for("potentials", [](const Json& s) {
        return s["color_by"] == "potential" && s["no_color"] == "" && s["scalar_low"] < -0.5 && s["scalar_high"] < 0;
    });
    window->choose("Colour by", "Tree level");
    window->wait_for("a reason", [](const Json& s) { return s["color_by"] == "level" && s["no_color"] != ""; });
    window->click("Forces");
    window->choose("Engine", "Tree (Barnes–Hut)");
    window->wait_for("levels", [](const Json& s) {
        return s["color_by"] == "level" && s["no_color"] == "" && s["scalar_low"] >= 1 && s["scalar_high"] < 22;
    });
    window->click("View");
    window->choose("Colour map", "Cividis");
    window->wait_for("the map", [](const Json& s) { return s["color_map"] == "cividis"; });
    window->key("space");  // paused, and still coloured
    window->wait_for("a pause", [](const Json& s) { return s["paused"] == true; });
    window->choose("Colour by", "Tree leaf");
    window->wait_for("leaves", [](const Json& s) { return s["color_by"] == "leaf" && s["no_color"] == ""; });
    window->choose("Colour by", "Force error");
    window->wait_for("errors", [](const Json& s) {
        return s["color_by"] == "error" && s["no_color"] == "" && s["scalar_high"] < 0.1;
    });
}

/// All bodies move along x: their line-of-sight velocity depends only on the camera, also while it turns.
TEST_F(ViewWindow, VelocitiesAlongTheLineOfSightFollowTheCamera) {
    Scene scene;
    for (int i = 0; i < 40; ++i) scene.bodies.add({0.1 * i, 0.05 * (i % 7), 0.02 * i}, {1, 0, 0}, 1e-12);
    const auto file = scratch() / "stream.csv";
    write_snapshot(scene, file);
    auto window = open_paused({file.string(), "--backend", "cpu", "--integrator", "leapfrog"});
    window->click("View");
    window->choose("Colour by", "Along the line of sight");
    const auto as_seen = [](const Json& s) {
        const double away = -std::cos(s["camera_yaw"].get<double>()) * std::cos(s["camera_pitch"].get<double>());
        return s["color_by"] == "sight-line" && s["camera_moving"] == false &&
               std::abs(s["scalar_low"].get<double>() - away) < 0.02;
    };
    window->wait_for("velocities as seen", as_seen);
    const double before = window->state("camera_yaw");
    drag_from(*window, 700, 300, 150, 0, [&] {
        window->wait_for("another direction",
                         [&](const Json& s) { return std::abs(s["camera_yaw"].get<double>() - before) > 0.1; });
    });
    window->wait_for("velocities as seen from there", as_seen);
    window->scroll_to("Advanced");
    window->click("Advanced");
    window->scroll_to("Colour by spread");
    window->click("Colour by spread");
    window->scroll_to("Slice");
    window->type_into("Slice", "0.5");
    window->wait_for("a slice",
                     [&](const Json& s) { return s["view"]["dispersion"] == true && s["view"]["slice"] == 0.5; });
    window->scroll_to("Slice across");
    window->choose("Slice across", "z");
    window->wait_for("across z", [](const Json& s) { return s["view"]["slice_across"] == "z"; });
}

/// A periodic box is wrapped, repeated, and recentred on a picked body, by coordinates, and back.
TEST_F(ViewWindow, PeriodicBoxIsRecentred) {
    Scene scene;
    for (int i = 0; i < 60; ++i) scene.bodies.add({0.125 * i, 0.25 * (i % 30), 0.5 * (i % 14)}, {}, 1e-12);
    scene.box = 8;
    const auto file = scratch() / "box.csv";
    write_snapshot(scene, file);
    auto window = open_paused({file.string(), "--backend", "cpu"});
    EXPECT_EQ(window->state("space")["edge"], 0) << "drawn as it is";
    EXPECT_EQ(window->state("space")["box"], 8);
    window->click("Body");
    window->type_into("Pick number", "59");
    window->wait_for("picked", [](const Json& s) { return s["hand"]["picked"] == 1; });
    window->click("View");
    window->scroll_to("Wrap");
    window->click("Wrap");
    window->wait_for("wrapped", [](const Json& s) {
        return s["space"]["edge"] == 8 && s["space"]["tiles"] == 1 && s["space"]["centre"] == Json{4.0, 4.0, 4.0};
    });
    window->scroll_to("Recentre");
    window->click("Recentre");
    window->wait_for("the body in the middle", [](const Json& s) {
        return s["space"]["centre"] == Json{7.375, 7.25, 1.5} && s["camera_moving"] == false;
    });
    window->type_into("Middle", "1, 2, 3.5");
    window->wait_for("a typed middle", [](const Json& s) { return s["space"]["centre"] == Json{1.0, 2.0, 3.5}; });
    window->type_into("Middle", "nowhere");
    window->wait_frames(4);
    EXPECT_EQ(window->state("view")["recentre"], "1, 2, 3.5") << "no point";
}

TEST_F(ViewWindow, ManualExposureIsConstant) {
    auto window = open_paused({"plummer", "--bodies", "2000", "--backend", "cpu"});
    window->click("View");
    window->click("Advanced");
    window->choose("Auto-exposure by", "Bodies");  // by the frame, so few bodies are never brighter than a single one
    window->click("Automatic exposure");
    window->wait_for("the slider for white", [&](const Json&) { return window->shows("White"); });
    const double white = window->state("white");
    window->xdotool({"mousemove", "640", "320"});
    for (int i = 0; i < 5; ++i) window->xdotool({"click", "5"});  // zooms out with the wheel
    window->wait_for("the camera is far", [&](const Json& s) { return s["camera_distance"].get<double>() > 5; });
    window->wait_frames(5);
    EXPECT_NEAR(window->state("white").get<double>() / white, 1, 1e-2);
    window->click("Automatic exposure");
    window->wait_for("an automatic white", [&](const Json& s) { return s["white"].get<double>() > 1.1 * white; });
}

TEST_F(ViewWindow, SmoothedModeIsSelected) {
    auto window = open_paused({"plummer", "--bodies", "3000", "--backend", "cpu"});
    window->click("View");
    window->click("Advanced");
    const std::string points = still_screenshot(*window);
    window->choose("Drawing", "Smoothed");
    // Even while paused, the frame is redrawn when the neighbours are found.
    window->wait_for("kernels",
                     [&](const Json& s) { return s["draw_mode"] == "smoothed" && window->shows("Neighbours"); });
    EXPECT_FALSE(still_screenshot(*window) == points);
    window->choose("Drawing", "Automatic");
    window->wait_for("points again", [](const Json& s) { return s["draw_mode"] == "splat"; });
    EXPECT_TRUE(still_screenshot(*window) == points);
}

TEST_F(ViewWindow, HidesSpeciesOfTheScene) {
    Scene scene;
    for (int i = 0; i < 60; ++i) {
        scene.bodies.add({std::cos(0.1 * i), std::sin(0.1 * i), 0.02 * (i % 9)}, {0, 0, 0}, 1e-9);
        scene.bodies.species.push_back(i % 6 == 0 ? Species::kGas : i % 2 == 0 ? Species::kHalo : Species::kStars);
    }
    const auto file = scratch() / "galaxy.csv";
    write_snapshot(scene, file);
    auto window = open_paused({file.string(), "--backend", "cpu"});
    window->click("View");
    const auto drawn = [&](int bodies) {
        window->wait_for("bodies drawn", [&](const Json& s) { return s["bodies_drawn"] == bodies; });
    };
    drawn(60);
    const std::string all = still_screenshot(*window);
    window->scroll_to("Show stars");
    EXPECT_FALSE(window->shows("Show disk")) << "the scene has no disk";
    window->click("Show halo");
    drawn(40);
    EXPECT_EQ(window->state("view")["show_halo"], false);
    EXPECT_FALSE(still_screenshot(*window) == all);
    window->click("Show stars");
    drawn(10);
    window->click("Show halo");
    drawn(30);
    window->click("Show stars");
    drawn(60);
    EXPECT_TRUE(still_screenshot(*window) == all);
    window->click("Setup");
    window->choose("Preset", "Figure eight");
    window->wait_for("three bodies", [](const Json& s) { return s["bodies"] == 3 && s["bodies_drawn"] == 3; });
    window->click("View");
    window->scroll_to("Grid");
    ASSERT_TRUE(window->shows("Colour map"));
    EXPECT_FALSE(window->shows("Show stars")) << "the scene states no species";
}

TEST_F(ViewWindow, StarsAreToggled) {
    auto window = open_paused({"plummer", "--bodies", "500", "--backend", "cpu"});
    EXPECT_EQ(window->state("stars"), false);
    window->click("View");
    window->click("Advanced");
    const std::string without = still_screenshot(*window);
    window->click("Stars");
    window->wait_for("stars", [&](const Json& s) { return s["stars"] == true && window->shows("Star light"); });
    EXPECT_FALSE(screenshot(*window) == without);
    window->click("Stars");
    window->wait_for("no stars", [](const Json& s) { return s["stars"] == false; });
    EXPECT_TRUE(still_screenshot(*window) == without);
}

TEST_F(ViewWindow, SolarSystemPresetSetsTrails) {
    auto window = open({"plummer", "--bodies", "500", "--backend", "cpu"});
    EXPECT_EQ(window->state("trails"), false);
    window->click("Setup");
    window->choose("Preset", "Solar system");
    window->wait_for("planets and trails", [](const Json& s) { return s["bodies"] == 9 && s["trails"] == true; });
    window->click("View");
    window->click("Trails");
    window->wait_for("no trails", [](const Json& s) { return s["trails"] == false; });
    window->click("Setup");
    window->choose("Preset", "Figure eight");  // the user's change stays
    window->wait_for("three bodies", [](const Json& s) { return s["bodies"] == 3; });
    EXPECT_EQ(window->state("trails"), false);
    window->click("View");
    window->click("Reset view");
    window->wait_for("the trails of the preset", [](const Json& s) { return s["trails"] == true; });
}

}  // namespace
}  // namespace orrery::test
