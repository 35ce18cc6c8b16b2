// SPDX-License-Identifier: MIT
#pragma once
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <glm/vec2.hpp>
#include <glm/vec3.hpp>

#include "app/ui/widget_map.hpp"

namespace orrery {

class Surface;
struct WindowEvents;

/// Mouse actions over the picture since the last frame. Positions in window coordinates, from the upper left.
struct MouseInput {
    bool turning = false, panning = false;  ///< a drag is in progress
    float dx = 0, dy = 0;                   ///< pixels, y downward
    double notches = 0;                     ///< of the wheel
    glm::dvec2 at{0};                       ///< the mouse
    std::optional<glm::dvec2> click;        ///< pressed and released without moving
    bool click_adds = false;                ///< with Ctrl: to what is picked
    bool twice = false;                     ///< the click is the second of a double one
    std::optional<Rectangle> box;           ///< drawn by a drag with Ctrl
    bool box_done = false;
    std::vector<glm::dvec2> lasso;  ///< drawn by a drag with Ctrl and Shift
    bool lasso_done = false;
    /// A drag from what the hand holds; the wheel is then its.
    struct Aim {
        glm::dvec2 from, to;
        bool moves;  ///< with Shift
        bool done;
    };
    std::optional<Aim> aim;
};

/// Recognises gestures over the picture; those that begin on a panel are ignored.
class Gestures {
public:
    /// `grabs` tells of a press whether the hand takes hold there; a drag is then an aim.
    MouseInput mouse(const WindowEvents& events, const std::function<bool(glm::dvec2)>& grabs);
    /// Requested flight direction from the keys W A S D Q E: to the right, up and forward.
    static glm::dvec3 flight(const Surface& surface, const WindowEvents& events);

private:
    bool twice_ = false;
    bool pressed_ = false, boxing_ = false, aiming_ = false, moving_ = false;
    bool lassoing_ = false;
    std::vector<glm::dvec2> lasso_;
    glm::dvec2 start_{0}, seen_{0};  // of the press, and of the last frame
    std::optional<glm::dvec2> end_;  // where the button went up, until a frame knows that it did
};

/// Whether this key is a flight key in fly mode. Hands know these by their place, whatever is written on them.
bool flies(int key, int mods);
/// What is written on them on this keyboard, in the order of W A S D Q E.
std::string flight_keys(const Surface& surface);

}  // namespace orrery
