// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include <glm/vec2.hpp>

#include "app/ui/widget_map.hpp"

namespace orrery {

/// Bodies by index; null: nobody.
using Picked = std::shared_ptr<const std::vector<std::uint32_t>>;

/// What a person's hand holds over the picture. Places in window coordinates, from the upper left.
struct HandState {
    Picked picked;
    std::optional<Rectangle> box;     ///< being drawn
    std::vector<glm::dvec2> markers;  ///< where the picked ones are seen, or some of them

    std::size_t count() const { return picked ? picked->size() : 0; }
};

}  // namespace orrery
