// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <cstdint>
#include <glm/vec2.hpp>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/ui/widgets.hpp"
#include "core/selection/body_set.hpp"
#include "core/simulation/edit.hpp"

namespace orrery {

/// Indices of bodies; null: none.
using Picked = std::shared_ptr<const std::vector<std::uint32_t>>;

/// Effect of a press in the picture: adds bodies, brushes them, or picks one if both kinds are empty.
struct HandTool {
    std::optional<EditKind> adds;
    NewBodies palette;                ///< position unset
    std::optional<EditKind> brushes;  ///< effect of a press on all bodies within reach
    double strength = 0, reach = 0;   ///< of the brush: speed added per second, and radius
    friend bool operator==(const HandTool&, const HandTool&) = default;
};

/// A velocity or displacement being drawn. Positions in window coordinates.
struct HandAim {
    glm::dvec2 from{0}, to{0};
    bool moves = false;            ///< a displacement, not a velocity
    double size = 0;               ///< of the velocity or displacement, in the scene's units
    std::vector<glm::dvec2> path;  ///< predicted, of a single body
};

inline constexpr std::size_t kMostRings = 30;  ///< picked bodies that get a ring and arrows each

/// The selection, and what is being drawn over the picture. Positions in window coordinates, from the upper left.
struct HandState {
    Picked picked;
    std::optional<Rectangle> box;   ///< being drawn
    std::vector<glm::dvec2> lasso;  ///< being drawn
    struct Brush {
        glm::dvec2 at;
        double radius;
    };
    std::optional<Brush> brush;  ///< while pressed
    HandTool tool;
    SetOperation combines = SetOperation::kReplace;  ///< of bodies that are enclosed, in the picture or in a plot
    std::optional<std::string> new_name;             ///< of the picked body, as typed so far
    std::optional<HandAim> aim;
    std::vector<glm::dvec2> markers;  ///< positions of the picked bodies in the picture, or of some of them
    std::vector<glm::dvec2> outline;  ///< a line around the picked bodies, instead of a ring each; empty: rings

    std::size_t count() const { return picked ? picked->size() : 0; }
};

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
