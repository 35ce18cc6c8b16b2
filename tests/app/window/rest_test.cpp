// SPDX-License-Identifier: MIT
// An idle window uses almost no processor time.
#include "tests/app/window/window_fixture.hpp"
#include "tests/support/processes.hpp"

namespace orrery::test {
namespace {

class IdleWindow : public WindowTest {};

TEST_F(IdleWindow, DrawsNothingWhileIdle) {
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

/// Pixels of an idle window, once nothing blinks, counts or fades any more. A title stays unchanged for seconds before
/// it fades, so two equal pictures are no proof that it has gone.
std::string rested(const VirtualDisplay& display, const WindowDriver& window) {
    constexpr unsigned kWidth = 768, kHeight = 432;
    window.wait_for("no title and no message", [&](const Json&) {
        const Json places = window.map()["places"];
        return !places.contains("title") && !places.contains("toast 0");
    });
    std::string before;
    for (int attempt = 0; attempt < 200; ++attempt) {
        window.wait_frames(10);
        std::string now = display.pixels(kWidth, kHeight);
        if (now == before) return now;
        before = std::move(now);
    }
    throw std::runtime_error{"the window does not become idle"};
}

/// Software OpenGL redraws only changed tiles: the final pixels must equal those of a full redraw.
TEST_F(IdleWindow, PartialRedrawMatchesFullRedraw) {
    auto window = open_paused({"plummer", "--bodies", "300"});
    window->key("i");  // hides the frame rate, which always changes
    window->key("h");  // help covers everything
    window->key("h");
    for (const char* page : {"Look", "Measure", "Compute", "Scene"}) window->click(page);
    // The control under the mouse is highlighted for a while.
    for (const char* control : {"Restart", "Body", "Setup", "Record"}) window->point_at(control);
    move_to(*window, 500, 200);
    const std::string parts = rested(*display(), *window);
    window->xdotool({"search", "--onlyvisible", "--name", "Orrery", "windowsize", "700", "400"});
    window->wait_for("smaller", [](const Json& s) { return s["width"] == 700; });
    window->xdotool({"search", "--onlyvisible", "--name", "Orrery", "windowsize", "768", "432"});
    window->wait_for("as before", [](const Json& s) { return s["width"] == 768; });
    EXPECT_TRUE(parts == rested(*display(), *window));  // EXPECT_EQ would print a megabyte
}

TEST_F(IdleWindow, ReportsALostDisplayInOneLine) {
    auto server = std::make_unique<VirtualDisplay>();
    WindowDriver window{*server, {"plummer", "--bodies", "300"}};
    window.wait_for_bodies();
    server.reset();
    EXPECT_EQ(window.exit_code(patience()), 3);
    EXPECT_TRUE(window.errors().ends_with("orrery: the connection to the display is lost\n")) << window.errors();
}

}  // namespace
}  // namespace orrery::test
