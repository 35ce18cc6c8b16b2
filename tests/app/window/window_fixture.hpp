// SPDX-License-Identifier: MIT
#pragma once
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <stdexcept>

#include "core/presets/presets.hpp"
#include "tests/app/window/virtual_display.hpp"
#include "tests/app/window/window_driver.hpp"
#include "tests/support/new_folder.hpp"

namespace orrery::test {

/// One virtual display for all tests of a process, and one window per test.
class WindowTest : public testing::Test {
protected:
    using Json = WindowDriver::Json;
    static void SetUpTestSuite() {
        if (!display()) display() = std::make_unique<VirtualDisplay>();
    }
    static std::unique_ptr<VirtualDisplay>& display() {
        static std::unique_ptr<VirtualDisplay> one;
        return one;
    }
    static std::unique_ptr<WindowDriver> open(std::vector<std::string> arguments, int ranks = 0) {
        shared_window() = {};  // it would go on drawing beneath the new one
        auto window = std::make_unique<WindowDriver>(*display(), std::move(arguments), std::filesystem::path{}, ranks);
        window->wait_for_bodies();
        return window;
    }
    /// One window for consecutive tests that name the same arguments and accept the state in which the test before left
    /// it: starting a window takes a quarter of a second. A new one after a failure or if it was closed.
    static WindowDriver& shared(const std::vector<std::string>& arguments) {
        Shared& one = shared_window();
        if (!one.window || one.arguments != arguments || one.window->exit_code(Seconds{0})) {
            auto window = open(arguments);  // closes the one before
            one = {arguments, std::move(window)};
        }
        return *one.window;
    }
    static void TearDownTestSuite() { shared_window() = {}; }
    void TearDown() override {
        if (HasFailure()) shared_window() = {};
    }
    /// The preset below another one in the menu.
    static std::string_view scene_after(std::string_view id) { return (&preset(id) + 1)->id; }
    static void pause(WindowDriver& window) {
        if (window.state("paused") == false) window.key("space");
        window.wait_for("a pause", [](const Json& s) { return s["paused"] == true; });
    }
    /// Paused, if the motion does not matter: software OpenGL then draws a frame in half the time.
    static std::unique_ptr<WindowDriver> open_paused(std::vector<std::string> arguments) {
        auto window = open(std::move(arguments));
        if (window->state("waits_for_start") == false) window->key("space");  // a file with guessed values opens paused
        window->wait_for("a pause", [](const Json& s) { return s["paused"] == true; });
        return window;
    }

    ~WindowTest() override {
        std::error_code ignored;
        if (!scratch_.empty()) std::filesystem::remove_all(scratch_, ignored);
    }
    /// A temporary folder of this test, removed at its end.
    const std::filesystem::path& scratch() {
        if (scratch_.empty()) scratch_ = new_folder();
        return scratch_;
    }

    static void move_to(const WindowDriver& window, double x, double y) {
        window.xdotool({"mousemove", std::to_string(std::lround(x)), std::to_string(std::lround(y))});
        window.wait_frames(2);
    }
    /// Calls `act`, which may wait for something, before the button is released.
    template <class Act>
    static void drag_from(WindowDriver& window, double x, double y, double dx, double dy, const Act& act) {
        move_to(window, x, y);
        window.xdotool({"mousedown", "1"});
        window.wait_frames(2);
        move_to(window, x + dx, y + dy);
        act();
        window.xdotool({"mouseup", "1"});
    }
    /// A click may be lost in the frame in which the panel changes after the selection is gone.
    static void take_tool(WindowDriver& window, const char* label) {
        const auto taken = [&] {
            const Json hand = window.state("hand");
            return hand["adds"] != "" || hand["brushes"] != "";
        };
        for (int attempt = 0; attempt < 5 && !taken(); ++attempt) {
            window.click(label);
            window.wait_frames(6);
        }
        ASSERT_TRUE(taken()) << label;
    }

    /// Bytes of a screenshot of the current frame.
    static std::string screenshot(WindowDriver& window) {
        const std::string before = window.state("last_screenshot");
        window.key("s");
        window.wait_for("a screenshot", [&](const Json& s) { return s["last_screenshot"] != before; });
        return bytes_of(window.state("last_screenshot").get<std::string>());
    }
    /// Screenshot of a stable frame: exposure, camera and the last step have settled.
    static std::string still_screenshot(WindowDriver& window) {
        std::string before = screenshot(window);
        for (int attempt = 0; attempt < 100; ++attempt) {
            std::string now = screenshot(window);
            if (now == before) return now;
            before = std::move(now);
        }
        throw std::runtime_error{"the view does not become stable"};
    }
    static std::string bytes_of(const std::filesystem::path& path) {
        std::ifstream file{path, std::ios::binary};
        return {std::istreambuf_iterator<char>{file}, {}};
    }
    /// `record --session` reproduces the frames recorded to window/f%04d.png with a session, byte for byte.
    static void expect_session_replays(const WindowDriver& window) {
        run_child(
            {.command = {ORRERY_PROGRAM, "record", "--session", window.state("session_path"), "-o", "alone/f%04d.png"},
             .environment = {{"DISPLAY", ""}},
             .folder = window.folder()},
            patience());
        const int frames = window.state("recorded_frames");
        for (int i = 0; i < frames; ++i) {
            std::string digits = std::to_string(i);
            const std::string name = 'f' + std::string(4 - digits.size(), '0') + digits + ".png";
            const std::string picture = bytes_of(window.folder() / "window" / name);
            ASSERT_FALSE(picture.empty()) << name;
            ASSERT_EQ(picture, bytes_of(window.folder() / "alone" / name)) << name;
        }
    }

private:
    struct Shared {
        std::vector<std::string> arguments;
        std::unique_ptr<WindowDriver> window;
    };
    static Shared& shared_window() {
        static Shared one;
        return one;
    }
    std::filesystem::path scratch_;
};

}  // namespace orrery::test
