// SPDX-License-Identifier: MIT
#pragma once
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/render/gl/gl_info.hpp"
#include "app/render/image.hpp"

struct GLFWwindow;

namespace orrery {

struct GlfwWindowConfig {
    std::string title = "Orrery";
    int width = 1280;  ///< in screen coordinates
    int height = 720;
    bool visible = true;
};

struct WindowSize {
    int width, height;  ///< in screen coordinates
};

struct KeyEvent {
    int key, action, mods;  ///< GLFW_KEY_*, GLFW_PRESS | GLFW_REPEAT | GLFW_RELEASE, GLFW_MOD_*
};

/// Events since the last poll. ImGui's GLFW backend, installed after the window, sees the same events.
struct WindowEvents {
    std::vector<KeyEvent> keys;
    double scroll = 0;  ///< notches, away from the user positive
    std::vector<std::filesystem::path> dropped;
};

/// A window with an OpenGL 4.5 core context, current in the thread that made it. At most one at a time.
class GlfwWindow {
public:
    /// Throws Error{kEnvironment}: no display, no GL 4.5 (and what was found).
    explicit GlfwWindow(const GlfwWindowConfig& config = {});
    GlfwWindow(GlfwWindow&&) noexcept;
    GlfwWindow& operator=(GlfwWindow&&) noexcept;
    ~GlfwWindow();

    GLFWwindow* handle() const noexcept;
    const GlInfo& gl_info() const noexcept;

    WindowEvents poll();
    /// Waits for an event of any kind, at most this long. False: none came. The events are left to poll().
    bool wait(double seconds);
    /// Whether an event of any kind came since the last question: also of the mouse, of the window's size and place.
    bool stirred();
    bool minimised() const;
    /// Swaps buffers; never waits for the screen, because the frame loop has its own limiter.
    void swap();
    bool should_close() const;
    void close();
    /// Fills the screen, or goes back to where it was. False: there is no monitor.
    bool toggle_fullscreen();
    std::optional<WindowSize> windowed_size() const;  ///< none while it fills the screen

    int framebuffer_width() const;  ///< in pixels; 0 while minimised
    int framebuffer_height() const;
    float content_scale() const;  ///< scale of the UI; 1 on a standard screen
    void set_title(const std::string& title);
    void set_icon(const Image& icon);

private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace orrery
