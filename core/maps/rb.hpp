// SPDX-License-Identifier: MIT
#pragma once
#include "core/maps/map.hpp"

namespace orrery {

/// Rectangular box (Jung and O'Leary): the right half of the triangle, rotated by 180 degrees, fills the gap above its
/// left half. No block is wasted. Even m: m/2 × (m + 1) blocks; y > x stays at (y − 1, x), the others map to (m − y −
/// 1, m − x − 1); the papers print the second column as m − row − 1, which does not cover the triangle. Odd m: (m +
/// 1)/2 × m blocks, where the left half keeps its middle column and needs no additional row.
struct RectangularBox {
    static constexpr std::string_view name = "rb", root = "";
    static constexpr std::string_view
        label = "Rectangular box",
        doc = "one half of the triangle, turned by 180 degrees, fills the gap above the other half";
    static constexpr Wastes wastes = Wastes::kNothing;
    ORRERY_HD static constexpr Grid grid(std::uint32_t rows) {
        return {(std::uint64_t{rows} + 1) / 2, std::uint64_t{rows} | 1};
    }
    ORRERY_HD constexpr Tile operator()(Block block, std::uint32_t rows) const {
        const auto x = static_cast<std::uint32_t>(block.x), y = static_cast<std::uint32_t>(block.y);
        const std::uint32_t extra = 1 - rows % 2;
        return y >= x + extra ? Tile{y - extra, x} : Tile{rows - 1 - y, rows - extra - x};
    }
};
static_assert(TriangleMap<RectangularBox>);

}  // namespace orrery
