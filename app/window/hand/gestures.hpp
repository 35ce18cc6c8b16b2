// SPDX-License-Identifier: MIT
#pragma once
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <glm/vec2.hpp>
#include <glm/vec3.hpp>

#include "app/ui/widgets.hpp"

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
    bool click_adds = false;                ///< with Ctrl: adds to the selection
    bool twice = false;                     ///< the click is the second of a double click
    std::optional<Rectangle> box;           ///< drawn by a drag with Ctrl
    bool box_done = false;
    std::vector<glm::dvec2> lasso;  ///< drawn by a drag with Ctrl and Shift
    bool lasso_done = false;
    /// A drag that sets a velocity or displacement; it also takes the wheel.
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
    /// `grabs` returns whether a press at this position starts an aim instead of moving the camera.
    MouseInput mouse(const WindowEvents& events, const std::function<bool(glm::dvec2)>& grabs);
    /// Requested flight direction from the keys W A S D Q E: to the right, up and forward.
    static glm::dvec3 flight(const Surface& surface, const WindowEvents& events);

private:
    bool twice_ = false;
    bool pressed_ = false, boxing_ = false, aiming_ = false, moving_ = false;
    bool lassoing_ = false;
    std::vector<glm::dvec2> lasso_;
    glm::dvec2 start_{0}, seen_{0};  // position of the press, and of the mouse in the last frame
    std::optional<glm::dvec2> end_;  // where the button was released, until a frame has processed it
};

/// True if this key is a flight key in fly mode. Flight keys go by position, whatever is printed on them.
bool flies(int key, int mods);
/// Labels of the flight keys on this keyboard, in the order W A S D Q E.
std::string flight_keys(const Surface& surface);

}  // namespace orrery
