// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <vector>

#include "app/platform/glfw_window.hpp"
#include "app/ui/style.hpp"
#include "app/window/gestures.hpp"

namespace orrery {

/// ImGui with its two backends, for the life of a window.
class ImGuiHost {
public:
    explicit ImGuiHost(GlfwWindow& window);
    ImGuiHost(const ImGuiHost&) = delete;
    ImGuiHost& operator=(const ImGuiHost&) = delete;
    ~ImGuiHost();

    /// With kAway the mouse points at nothing in this frame: no tips, nothing lit up.
    enum class Mouse { kAsItIs, kAway };
    /// `seconds` since the frame before, > 0: ImGui's clock.
    void begin_frame(const WindowEvents& events, double seconds, Mouse mouse = Mouse::kAsItIs);
    void end_frame();  ///< draws into the current framebuffer

    const Fonts& fonts() const { return fonts_; }
    /// Letters and controls in this size from the next frame on; costs some milliseconds when it is another one.
    void set_scale(float scale);
    /// Arrows, Space, Enter and the like go to the panels; begins with the first control of this window.
    void set_keyboard(bool on, const char* window);
    /// Whether a key belongs to the panels now. Esc does while something in them is open or being edited.
    bool takes_key(int key) const;
    bool takes_keys() const;  ///< a text field is being edited
    /// The mouse over the picture; nothing while it is over a panel or was pressed there.
    MouseInput mouse(double notches) { return gestures_.mouse(notches); }
    /// See Gestures::flight; nothing while a text field is being edited.
    glm::dvec3 flight(const WindowEvents& events) const;

private:
    void hold_short_presses(const WindowEvents& events);

    GLFWwindow* window_;
    Fonts fonts_;
    Gestures gestures_;
    float scale_ = 1;
    bool keyboard_ = false, something_open_ = false;
    std::vector<int> held_;
};

}  // namespace orrery
