// SPDX-License-Identifier: MIT
#pragma once
#include <optional>

#include <glm/vec2.hpp>
#include <glm/vec3.hpp>

#include "app/ui/widget_map.hpp"

struct GLFWwindow;

namespace orrery {

struct WindowEvents;

/// What the mouse did over the picture, since the last frame. Places in window coordinates, from the upper left.
struct MouseInput {
    bool turning = false, panning = false;  ///< a drag is under way
    float dx = 0, dy = 0;                   ///< pixels, y downward
    double notches = 0;                     ///< of the wheel
    std::optional<glm::dvec2> click;        ///< pressed and released in one place
    std::optional<Rectangle> box;           ///< that a drag with Ctrl draws
    bool box_done = false;
};

/// Tells gestures over the picture apart; what begins on a panel is none.
class Gestures {
public:
    MouseInput mouse(double notches);
    /// Where to fly while the keys W A S D Q E are down: to the right, up and forward.
    static glm::dvec3 flight(GLFWwindow* window, const WindowEvents& events);

private:
    bool pressed_ = false, boxing_ = false;
    glm::dvec2 start_{0};
};

/// Whether this key flies, in the mode that flies.
bool flies(int key, int mods);

}  // namespace orrery
