// SPDX-License-Identifier: MIT
// Bodies that merge and bounce in the real window, by clicks in the panel, and a session with all that a hand can do.
#include <fstream>

#include "tests/app/window/window_fixture.hpp"

namespace orrery::test {
namespace {

using Json = WindowDriver::Json;

class WindowEncounters : public WindowTest {};

TEST_F(WindowEncounters, MergingIsSwitchedOnAndCounted) {
    auto window = open({"plummer", "--bodies", "400"});
    window->click("Encounters");
    EXPECT_EQ(window->state("encounters")["kind"], "off");
    window->choose("Encounters", "Merge");
    window->wait_for("mergers", [](const Json& s) {
        return s["encounters"]["kind"] == "merge" && s["encounters"]["merges"] > 5 && s["bodies"] < 395;
    });
    window->key("space");
    window->wait_for("rest", [](const Json& s) { return s["paused"] == true; });
    const Json still = window->state();
    EXPECT_EQ(still["bodies"].get<int>() + still["encounters"]["merges"].get<int>(), 400);
    EXPECT_EQ(still["encounters"]["last"][0]["kind"], "merge");
    EXPECT_GT(still["encounters"]["density"], 0);
    window->choose("Encounters", "Bounce");
    window->type_into("Restitution", "0.5");
    window->wait_for("the other rule", [](const Json& s) {
        return s["encounters"]["kind"] == "bounce" && s["encounters"]["restitution"] == 0.5;
    });
    window->key("space");
    window->wait_for("bounces", [](const Json& s) { return s["encounters"]["bounces"] > 5; });
}

TEST_F(WindowEncounters, APickedBodyIsFollowedAndComesBackWithTime) {
    const auto scene = scratch() / "merging.toml";
    std::ofstream{scene} << "[scene]\npreset = \"plummer\"\nbodies = 300\nencounters = \"merge\"\n"
                            "body_density = 6.4\n"
                            "[engine]\nengine = \"direct\"\nbackend = \"cpu\"\nprecision = \"double\"\n";
    auto window = open({scene.string()});
    window->click("Body");
    window->type_into("Pick number", "100");
    window->wait_for("it", [](const Json& s) { return s["hand"]["picked"] == 1 && s["hand"].contains("body"); });
    const int then = window->state("bodies");
    window->wait_for("fewer, and still one picked", [=](const Json& s) {
        return s["bodies"] < then - 3 && s["hand"]["picked"] == 1 && s["hand"].contains("body");
    });
    window->key("space");
    window->wait_for("rest", [](const Json& s) { return s["paused"] == true; });
    const int bodies = window->state("bodies");
    EXPECT_LT(window->state("hand")["body"]["id"], bodies);
    for (int i = 0; i < 10; ++i) window->key("Left");
    window->wait_for("more", [=](const Json& s) { return s["bodies"] > bodies && s["hand"]["picked"] == 1; });
}

/// Edits of which one is undone and redone, engines, and mergers: the command makes the window's pictures, twice.
TEST_F(WindowEncounters, ASessionWithEditsEnginesAndMergersIsRepeated) {
    const auto scene = scratch() / "hands.toml";
    std::ofstream{scene} << "[scene]\npreset = \"plummer\"\nbodies = 200\n[engine]\nengine = \"direct\"\n"
                            "backend = \"cpu\"\n[record]\npath = \"window/f%04d.png\"\nwidth = 320\n"
                            "height = 180\nsession = true\n";
    auto window = open({scene.string()});
    window->key("r");
    const auto recorded = [&](int more) {
        const int now = window->state("recorded_frames");
        window->wait_for("frames", [=](const Json& s) { return s["recorded_frames"] >= now + more; });
    };
    recorded(2);
    window->click("Body");
    for (int edit = 0; edit < 4; ++edit) {
        window->type_into("Pick number", std::to_string(7 * edit));
        window->wait_for("picked", [](const Json& s) { return s["hand"]["markers"].size() == 1; });
        const int bodies = window->state("bodies"), undos = window->state("hand")["undos"];
        switch (edit) {
            case 0:
                window->click("Duplicate");
                window->wait_for("one more", [=](const Json& s) { return s["bodies"] == bodies + 1; });
                break;
            case 1:
                window->type_into("Mass ×", "2");
                break;
            case 2:
                window->type_into("Velocity ×", "0.5");
                break;
            default:
                window->click("Circular orbit");
        }
        window->wait_for("the edit", [=](const Json& s) { return s["hand"]["undos"] > undos; });
        if (edit == 1) window->key("3");
    }
    window->key("ctrl+z");
    window->wait_for("the state before", [](const Json& s) { return s["hand"]["undos"] == 3; });
    recorded(1);
    window->key("ctrl+shift+z");
    window->click("Encounters");
    window->choose("Encounters", "Merge");
    window->wait_for("mergers", [](const Json& s) { return s["encounters"]["merges"] > 3; });
    window->key("1");
    window->wait_for("all pairs", [](const Json& s) { return s["engine"] == "direct"; });
    recorded(2);
    window->key("r");
    window->wait_for("the end", [](const Json& s) { return s["recording"] == false; });
    repeats_its_session(*window);
    std::filesystem::rename(window->folder() / "alone", window->folder() / "once");
    repeats_its_session(*window);
}

}  // namespace
}  // namespace orrery::test
