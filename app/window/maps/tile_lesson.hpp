// SPDX-License-Identifier: MIT
// The loop of a thread block over its tile of pairs, step by step, as drawn on the page Maps.
#pragma once
#include <algorithm>
#include <vector>

#include "app/ui/plot.hpp"

namespace orrery {

/// How the pairs of a tile are divided among threads.
enum class TileLoop {
    kHalf,  ///< `half`: each pair once, for both bodies; the reactions travel round the rows
    kRows,  ///< `direct`: every row with every column of a tile in shared memory (GPU Gems 3, chapter 31)
};

/// The drawn tile. `kRows`: p threads in q groups, k rows each, u columns at once; `half` uses p alone.
struct TileLesson {
    TileLoop loop = TileLoop::kHalf;
    int u = 1, q = 1, k = 1;

    static constexpr int kThreads = 8;  ///< p of the drawing
    int rows() const { return loop == TileLoop::kHalf ? kThreads : kThreads * k; }
    int columns() const { return loop == TileLoop::kHalf ? kThreads : kThreads * q; }
    /// Number of steps of the loop, of which step 0 loads the column bodies.
    int turns() const { return 1 + (loop == TileLoop::kHalf ? kThreads : kThreads / u); }
    /// The step at this fraction of the loop's time, 0 … 1.
    int turn_at(double part) const { return std::min(static_cast<int>(part * turns()), turns() - 1); }
};

/// A pair of a row and a column, computed by this thread.
struct TilePair {
    int row, column, thread;
    friend bool operator==(const TilePair&, const TilePair&) = default;
};
/// The pairs computed in one step; none in step 0. Over all steps every pair of the tile occurs once; with `diagonal`,
/// a tile of `half` on the diagonal, the pairs of a body with itself are left out.
std::vector<TilePair> pairs_of_turn(const TileLesson& lesson, int turn, bool diagonal = false);

/// Draws the tile at this step, with the sums of the rows on its left and, for kHalf, the reactions below.
void tile_drawing(const Pen& pen, const Box& box, const TileLesson& lesson, int turn, bool diagonal);

}  // namespace orrery
