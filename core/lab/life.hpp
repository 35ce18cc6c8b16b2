// SPDX-License-Identifier: MIT
// The game of life (Gardner 1970) on the triangle of cells (i, j), j ≤ i < N, shared by CPU and GPU. Cells outside are
// dead.
#pragma once
#include <cstdint>
#include <vector>

#include "core/base/hd.hpp"
#include "core/base/random.hpp"

namespace orrery {

/// Rows of bytes with a frame of dead cells, so that no neighbour needs a test.
struct LifeBoard {
    std::uint32_t cells;  ///< N
    ORRERY_HD constexpr std::uint32_t pitch() const { return cells + 2; }
    ORRERY_HD constexpr std::uint64_t place(std::uint32_t i, std::uint32_t j) const {
        return (std::uint64_t{i} + 1) * pitch() + j + 1;
    }
    constexpr std::uint64_t bytes() const { return std::uint64_t{pitch()} * pitch(); }
};

/// The state of the cell at `at` after a step: alive with three living neighbours, or with two if it is alive.
ORRERY_HD inline std::uint8_t stepped_cell(const std::uint8_t* at, std::uint32_t pitch) {
    const std::uint8_t *above = at - pitch, *below = at + pitch;
    const unsigned living = above[-1] + above[0] + above[1] + at[-1] + at[1] + below[-1] + below[0] + below[1];
    return living == 3 || (living == 2 && at[0] != 0);
}

/// A third of the cells is alive; the same board for the same N.
inline std::vector<std::uint8_t> life_cells(LifeBoard board) {
    Random random{1};
    std::vector<std::uint8_t> cells(board.bytes());
    for (std::uint32_t i = 0; i < board.cells; ++i)
        for (std::uint32_t j = 0; j <= i; ++j) cells[board.place(i, j)] = random.uniform() < 1.0 / 3;
    return cells;
}

inline constexpr std::uint8_t kUnsteppedCell = 0xcc;  ///< every cell of the next board before a check

}  // namespace orrery
