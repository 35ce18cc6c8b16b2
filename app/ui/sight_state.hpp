// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <vector>

#include <glm/vec2.hpp>

namespace orrery {

/// What is drawn about the picked bodies and their field.
struct SightSettings {
    bool arrows = true;     ///< of velocity and acceleration
    bool contours = false;  ///< of the potential, from the page Plots; not only of picked bodies
    bool orbit = true;      ///< of a single body, about the one whose pull it follows
    friend bool operator==(const SightSettings&, const SightSettings&) = default;
};

/// Positions in window coordinates, from the upper left.
struct SightArrow {
    glm::dvec2 from{0}, to{0};
    bool acceleration = false;  ///< else velocity
};

/// A piece of a line of equal potential that lies before the camera.
struct SightContour {
    float depth = 0;  ///< 0: the highest of the levels, 1: the deepest
    std::vector<glm::dvec2> points;
};

struct SightState {
    SightSettings settings;
    std::vector<SightArrow> arrows;
    std::vector<std::vector<glm::dvec2>> orbit;  ///< its pieces that lie before the camera
    std::vector<SightContour> contours;
    std::size_t track_rows = 0;  ///< that can be written
};

}  // namespace orrery
