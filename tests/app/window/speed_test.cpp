// SPDX-License-Identifier: MIT
// Responsiveness while the simulation is busy. Times are recorded as properties for XML; only states are asserted.
#include <algorithm>

#include "tests/app/window/window_fixture.hpp"

namespace orrery::test {
namespace {

using Clock = std::chrono::steady_clock;

class SpeedWindow : public WindowTest {};

TEST_F(SpeedWindow, FirstFrameIsDrawnBeforeBodiesAreLoaded) {
    WindowDriver window{*display(), {"plummer", "--bodies", "1000000", "--clock", "wall"}};
    window.wait_for("the first frame", [](const Json& s) { return s["first_frame_ms"].is_number(); });
    EXPECT_TRUE(window.state("bodies").is_null()) << "this machine is too fast for this test";
    RecordProperty("first_frame_ms", window.state("first_frame_ms").get<int>());
    window.wait_for_bodies();
    EXPECT_NE(window.errors().find("OpenGL"), std::string::npos) << "no start-up report: " << window.errors();
}

/// A step of 200 000 bodies takes seconds on a CPU.
TEST_F(SpeedWindow, DrawsAndSwitchesAtOnceDuringLongSteps) {
    auto window = open({"plummer", "--bodies", "200000", "--backend", "cpu", "--clock", "wall"});
    window->wait_frames(30);
    double slowest = 0;
    for (const std::string wanted : {"mixed", "double", "single", "mixed"}) {
        const int step = window->state("step");
        const auto start = Clock::now();
        window->xdotool({"key", "Return"});
        window->wait_for(wanted, [&](const Json& s) { return s["precision"] == wanted; });
        slowest = std::max(slowest, std::chrono::duration<double>(Clock::now() - start).count());
        EXPECT_LE(window->state("step"), step + 1) << "the switch waited for steps";
        window->wait_frames(15);
    }
    RecordProperty("slowest_switch_ms", static_cast<int>(slowest * 1e3));
    RecordProperty("ui_fps", window->state("ui_fps").get<int>());
    EXPECT_LT(window->state("step"), 5) << "frames waited for steps, or this machine is too fast";
}

}  // namespace
}  // namespace orrery::test
