// SPDX-License-Identifier: MIT
// A window in which nothing changes costs nothing.
#include "tests/app/window/window_fixture.hpp"
#include "tests/support/processes.hpp"

namespace orrery::test {
namespace {

TEST_F(WindowTest, DrawsNothingWhileNothingChanges) {
    auto window = open({"plummer", "--bodies", "300", "--clock", "wall"});
    window->key("space");
    window->wait_for("paused", [](const Json& s) { return s["paused"] == true; });
    bool rests = false;
    double share = 1;
    for (int i = 0; i < 100 && !rests; ++i) {
        const int frames = window->state("frames");
        const double before = processor_seconds(window->process());
        std::this_thread::sleep_for(std::chrono::seconds{2});
        share = (processor_seconds(window->process()) - before) / 2;
        rests = window->state("frames") == frames && share < 0.1;
    }
    EXPECT_TRUE(rests);
    RecordProperty("processor_per_mille", static_cast<int>(1000 * share));
    const int step = window->state("step");
    window->key("space");
    window->wait_for("steps again", [&](const Json& s) { return s["paused"] == false && s["step"] > step; });
}

TEST_F(WindowTest, EndsInOneLineWhenTheDisplayIsLost) {
    auto server = std::make_unique<VirtualDisplay>();
    WindowDriver window{*server, {"plummer", "--bodies", "300"}};
    window.wait_for_bodies();
    server.reset();
    EXPECT_EQ(window.exit_code(patience()), 3);
    EXPECT_TRUE(window.errors().ends_with("orrery: the connection to the display is lost\n")) << window.errors();
}

}  // namespace
}  // namespace orrery::test
