// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include <glm/vec2.hpp>

#include "app/ui/widget_map.hpp"
#include "core/simulation/edit.hpp"

namespace orrery {

/// Bodies by index; null: none.
using Picked = std::shared_ptr<const std::vector<std::uint32_t>>;

/// What a press in the picture adds, with an empty kind nothing: it picks.
struct HandTool {
    std::optional<EditKind> adds;
    NewBodies palette;                ///< without a place
    std::optional<EditKind> brushes;  ///< what a press does to all within reach
    double strength = 0, reach = 0;   ///< of the brush: speed given in a second, and a length
    friend bool operator==(const HandTool&, const HandTool&) = default;
};

/// A velocity, or a shift, being drawn. Positions in window coordinates.
struct HandAim {
    glm::dvec2 from{0}, to{0};
    bool moves = false;            ///< a shift
    double size = 0;               ///< of the velocity or shift, in the scene's units
    std::vector<glm::dvec2> path;  ///< that a single body would take
};

inline constexpr std::size_t kMostRings = 30;  ///< picked bodies with a ring and arrows each

/// The selection and the box being drawn over the picture. Positions in window coordinates, from the upper left.
struct HandState {
    Picked picked;
    std::optional<Rectangle> box;   ///< being drawn
    std::vector<glm::dvec2> lasso;  ///< likewise
    struct Brush {
        glm::dvec2 at;
        double radius;
    };
    std::optional<Brush> brush;  ///< while it is pressed
    HandTool tool;
    std::optional<HandAim> aim;
    std::vector<glm::dvec2> markers;  ///< positions of the picked bodies in the picture, or of some of them
    std::vector<glm::dvec2> outline;  ///< a line around them, in place of a ring each; empty: they have rings

    std::size_t count() const { return picked ? picked->size() : 0; }
};

}  // namespace orrery
