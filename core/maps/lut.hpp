// SPDX-License-Identifier: MIT
#pragma once
#include <vector>

#include "core/maps/map.hpp"

namespace orrery {

/// λ as a look-up table: reads the entries written by lut_table, 8 bytes per tile. Does not own the table, which is in
/// the memory space where the map runs: host memory for CPU engines, device memory for CUDA.
struct Lut {
    static constexpr std::string_view name = "lut", root = "";
    static constexpr std::string_view label = "Look-up table",
                                      doc = "the tiles of lambda, read from a table of 8 bytes per tile";
    static constexpr Wastes wastes = Wastes::kNothing;
    const Tile* table;
    ORRERY_HD static constexpr Grid grid(std::uint32_t rows) { return {triangular(rows), 1}; }
    ORRERY_HD Tile operator()(Block block, std::uint32_t) const { return table[block.x]; }
};
static_assert(TriangleMap<Lut>);

/// Throws Error{kEnvironment}, before allocating, if the table does not fit into memory.
std::vector<Tile> lut_table(std::uint32_t rows);

}  // namespace orrery
