// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <glm/vec2.hpp>

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

}  // namespace orrery
