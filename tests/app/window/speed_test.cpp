// SPDX-License-Identifier: MIT
#include <algorithm>

#include "tests/app/window/window_fixture.hpp"

namespace orrery::test {
namespace {

using Clock = std::chrono::steady_clock;

TEST_F(WindowTest, FirstFrameWithinASecond) {
    WindowDriver window{*display(), {}};
    window.wait_for("the first frame", [](const Json& s) { return s["first_frame_ms"].is_number(); });
    EXPECT_LT(window.since_start().count(), 1.0 * slowness());
    EXPECT_LT(window.state("first_frame_ms"), 1000 * slowness());
    window.wait_for_bodies();
    EXPECT_NE(window.errors().find("OpenGL"), std::string::npos) << "no start-up report: " << window.errors();
}

/// A step of 200 000 bodies takes seconds on a CPU.
TEST_F(WindowTest, StaysSmoothAndSwitchesAtOnceWhileAStepTakesSeconds) {
    auto window = open({"plummer", "--bodies", "200000", "--backend", "cpu"});
    window->wait_frames(90);
    EXPECT_GE(window->state("ui_fps"), 30 / slowness());
    double slowest = 0;
    for (const std::string wanted : {"mixed", "double", "single", "mixed"}) {
        const auto start = Clock::now();
        window->xdotool({"key", "Return"});
        window->wait_for(wanted, [&](const Json& s) { return s["precision"] == wanted; });
        slowest = std::max(slowest, std::chrono::duration<double>(Clock::now() - start).count());
        window->wait_frames(30);
    }
    RecordProperty("slowest_switch_ms", static_cast<int>(slowest * 1e3));
    EXPECT_LE(slowest, 0.2 * slowness());
    EXPECT_GE(window->state("ui_fps"), 30 / slowness());
    EXPECT_LT(window->state("step"), 5) << "too fast a machine for what this test is about: more bodies are needed";
}

}  // namespace
}  // namespace orrery::test
