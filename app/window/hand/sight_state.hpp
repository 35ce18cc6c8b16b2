// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <vector>

#include <glm/vec2.hpp>

namespace orrery {

/// Options of the drawings for the picked bodies and their field.
struct SightSettings {
    bool arrows = true;     ///< of velocity and acceleration
    bool contours = false;  ///< of the potential, from the page Plots; also without picked bodies
    bool orbit = true;      ///< of a single body, about the body that attracts it most
    friend bool operator==(const SightSettings&, const SightSettings&) = default;
};

/// Positions in window coordinates, from the upper left.
struct SightArrow {
    glm::dvec2 from{0}, to{0};
    bool acceleration = false;  ///< otherwise velocity
};

/// A piece of an equipotential line in front of the camera.
struct SightContour {
    float depth = 0;  ///< 0: the highest of the levels, 1: the deepest
    std::vector<glm::dvec2> points;
};

struct SightState {
    SightSettings settings;
    std::vector<SightArrow> arrows;
    std::vector<std::vector<glm::dvec2>> orbit;  ///< its pieces in front of the camera
    std::vector<SightContour> contours;
    std::size_t track_rows = 0;  ///< rows that can be exported
};

}  // namespace orrery
