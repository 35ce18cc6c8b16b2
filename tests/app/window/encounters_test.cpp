// SPDX-License-Identifier: MIT
// Bodies that merge and bounce in the real window, controlled by its panel.
#include "tests/app/window/window_fixture.hpp"

namespace orrery::test {
namespace {

using Json = WindowDriver::Json;

class WindowEncounters : public WindowTest {};

TEST_F(WindowEncounters, EncountersAreSwitchedOnAndCounted) {
    auto window = open({"plummer", "--bodies", "400"});
    window->click("Encounters");
    EXPECT_EQ(window->state("encounters")["kind"], "off");
    window->choose("Encounters", "Merge");
    window->wait_for("mergers", [](const Json& s) {
        return s["encounters"]["kind"] == "merge" && s["encounters"]["merges"] > 5 && s["bodies"] < 395;
    });
    window->key("space");
    window->wait_for("a pause", [](const Json& s) { return s["paused"] == true; });
    const Json still = window->state();
    EXPECT_EQ(still["bodies"].get<int>() + still["encounters"]["merges"].get<int>(), 400);
    EXPECT_EQ(still["encounters"]["last"][0]["kind"], "merge");
    EXPECT_GT(still["encounters"]["density"], 0);
    window->choose("Encounters", "Bounce");
    window->type_into("Restitution", "0.5");
    window->wait_for("bouncing", [](const Json& s) {
        return s["encounters"]["kind"] == "bounce" && s["encounters"]["restitution"] == 0.5;
    });
    window->key("space");
    window->wait_for("bounces", [](const Json& s) { return s["encounters"]["bounces"] > 5; });
}

}  // namespace
}  // namespace orrery::test
