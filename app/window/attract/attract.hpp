// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <chrono>

#include "app/platform/surface.hpp"
#include "app/window/window_clock.hpp"

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

}  // namespace orrery
