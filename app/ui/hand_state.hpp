// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include <glm/vec2.hpp>

#include "app/ui/widget_map.hpp"

namespace orrery {

/// Bodies by index; null: none.
using Picked = std::shared_ptr<const std::vector<std::uint32_t>>;

/// The selection and the box being drawn over the picture. Positions in window coordinates, from the upper left.
struct HandState {
    Picked picked;
    std::optional<Rectangle> box;     ///< being drawn
    std::vector<glm::dvec2> markers;  ///< positions of the picked bodies in the picture, or of some of them

    std::size_t count() const { return picked ? picked->size() : 0; }
};

}  // namespace orrery
