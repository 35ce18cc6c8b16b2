// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <chrono>

#include "app/platform/surface.hpp"
#include "app/window/scenes/scene_control.hpp"
#include "app/window/window.hpp"

namespace orrery {

/// Attract mode: shows one scene after another until there is user input.
class Attract {
public:
    static constexpr std::chrono::seconds kPerScene{20};
    static constexpr double kTurn = 0.08;  ///< of the camera, radians per second

    bool on() const { return on_; }
    void start(WindowClock::TimePoint now) { on_ = true, next_ = now + kPerScene; }
    void stop() { on_ = false; }
    /// A key, a button or the wheel; mere mouse motion does not count.
    static bool ended_by(const WindowEvents& events, bool mouse_pressed) {
        const auto pressed = [](const KeyEvent& event) { return event.action != 0; };  // GLFW_RELEASE
        return std::ranges::any_of(events.keys, pressed) || events.scroll != 0 || !events.dropped.empty() ||
               mouse_pressed;
    }
    /// True, once for each scene, if it is time for the next one.
    bool due(WindowClock::TimePoint now) {
        if (!on_ || now < next_) return false;
        next_ = now + kPerScene;
        return true;
    }

private:
    bool on_ = false;
    WindowClock::TimePoint next_{};
};

/// Shows one scene after another with a turning camera and without panels, until there is input.
class AttractMode final : public Feature {
public:
    AttractMode(WindowCore& core, SceneControl& scenes) : core_{core}, scenes_{scenes} {}

    void toggle();
    /// Once per frame; `pressed`: a mouse button.
    void handle(const WindowEvents& events, bool pressed);
    /// Attract mode hides panels only as long as it is on.
    void remember(UserSettings& settings) const override {
        settings.panels = attract_.on() || core_.state.layout.panels;
    }

private:
    void next_scene();

    WindowCore& core_;
    SceneControl& scenes_;
    Attract attract_;
    std::size_t next_ = 0;  // index of the next shipped scene
    bool panels_before_ = true;
};

}  // namespace orrery
