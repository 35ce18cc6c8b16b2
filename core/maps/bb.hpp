// SPDX-License-Identifier: MIT
#pragma once
#include "core/maps/map.hpp"

namespace orrery {

/// Bounding box: the whole square is launched, and blocks above the diagonal return at once.
struct BoundingBox {
    static constexpr std::string_view name = "bb", root = "";
    static constexpr std::string_view label = "Bounding box",
                                      doc = "the whole square of blocks; those above the diagonal return at once";
    static constexpr Wastes wastes = Wastes::kAboveDiagonal;
    ORRERY_HD static constexpr Grid grid(std::uint32_t rows) { return {rows, rows}; }
    ORRERY_HD constexpr Tile operator()(Block block, std::uint32_t) const {
        return {static_cast<std::uint32_t>(block.y), static_cast<std::uint32_t>(block.x)};
    }
};
static_assert(TriangleMap<BoundingBox>);

}  // namespace orrery
