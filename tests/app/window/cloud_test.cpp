// SPDX-License-Identifier: MIT
// A cloud in the window: opened, refined, zoomed into.
#include "tests/app/window/window_fixture.hpp"
#include "tests/core/cloud/clouds.hpp"

namespace orrery::test {
namespace {

class CloudWindowTest : public WindowTest {
protected:
    static bool refined(const Json& s) { return s["cloud"].is_object() && s["cloud"]["reading"] == false; }
};

TEST_F(CloudWindowTest, RefinesWhileZoomingInAndRefusesToRun) {
    const std::filesystem::path file = scratch() / "x.cloud";
    write_cloud(*cloud_source(concentrated(60'000)), file, {.sample = 64, .leaf = 256});
    auto window = open({file});
    window->wait_for("the refined cloud", [](const Json& s) { return refined(s) && s["cloud"]["shown"] > 1000; });
    const Json far = window->state("cloud");
    EXPECT_EQ(far["bodies"], 60'000);
    EXPECT_EQ(window->state("bodies"), 60'000);
    EXPECT_GT(far["most"], 1);
    EXPECT_LE(far["spacing"], 1);
    EXPECT_EQ(window->state("paused"), true);

    const Json size = window->state();
    window->xdotool(
        {"mousemove", std::to_string(size["width"].get<int>() * 2 / 3), std::to_string(size["height"].get<int>() / 2)});
    for (int i = 0; i < 30; ++i) window->xdotool({"click", "4"});
    window->wait_for("a smaller and finer part", [&](const Json& s) {
        return refined(s) && s["cloud"]["stands_for"] < far["stands_for"] && s["cloud"]["most"] < far["most"];
    });
    window->key("space");
    window->wait_for("a refusal", [](const Json& s) {
        return s["message"].get<std::string>().find("clouds are view-only") != std::string::npos;
    });
    window->wait_for("no steps", [](const Json& s) { return s["paused"] == true && s["step"] == 0; });
    window->click("Forces");
    window->wait_for("the page of forces", [](const Json& s) { return s["panel"] == "engine"; });
    EXPECT_FALSE(window->shows("Precision")) << "nothing is computed";
}

}  // namespace
}  // namespace orrery::test
