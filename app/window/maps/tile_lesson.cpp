// SPDX-License-Identifier: MIT
#include "app/window/maps/tile_lesson.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/render/color_maps.hpp"
#include "app/ui/words.hpp"

namespace orrery {
namespace {

constexpr ImU32 kTileText = IM_COL32(255, 255, 255, 255), kTileDim = IM_COL32(176, 184, 196, 255);
constexpr ImU32 kTileTrack = IM_COL32(255, 255, 255, 22), kTileDone = IM_COL32(255, 255, 255, 64);
constexpr ImU32 kTileEdge = IM_COL32(255, 255, 255, 255);

/// Colour of a thread.
ImU32 thread_color(const TileLesson& lesson, int thread) {
    const int threads = TileLesson::kThreads * (lesson.loop == TileLoop::kHalf ? 1 : lesson.q);
    return ramp_color(0.15f + 0.8f * static_cast<float>(thread) / static_cast<float>(threads));
}

/// The grid of pairs inside a box, with room for sums on the left and the column bodies on top.
struct TileBoard {
    ImVec2 origin;
    float cell;
    ImVec2 at(float column, float row) const { return {origin.x + cell * column, origin.y + cell * row}; }
};

void square(const Pen& pen, const TileBoard& board, float column, float row, ImU32 color) {
    const ImVec2 low = board.at(column, row);
    pen.draw().AddRectFilled(low, {low.x + board.cell - 1, low.y + board.cell - 1}, color, 2);
}

/// A body: a disc in the middle of a cell.
void body(const Pen& pen, const TileBoard& board, float column, float row, ImU32 color, bool filled = true) {
    const ImVec2 middle = board.at(column + 0.48f, row + 0.48f);
    if (filled)
        pen.draw().AddCircleFilled(middle, 0.32f * board.cell, color);
    else
        pen.draw().AddCircle(middle, 0.32f * board.cell, color, 0, std::max(1.0f, board.cell / 12));
}

/// Fraction of a row's or column's pairs done after this turn.
float done_part(const TileLesson& lesson, int turn) {
    return static_cast<float>(turn) / static_cast<float>(lesson.turns() - 1);
}

}  // namespace

std::vector<TilePair> pairs_of_turn(const TileLesson& lesson, int turn, bool diagonal) {
    std::vector<TilePair> pairs;
    if (turn < 1 || turn >= lesson.turns()) return pairs;
    constexpr int p = TileLesson::kThreads;
    if (lesson.loop == TileLoop::kHalf) {
        for (int row = 0; row < p; ++row)
            if (const int column = (row + turn - 1) % p; !diagonal || column != row)
                pairs.push_back({row, column, row});
        return pairs;
    }
    for (int group = 0; group < lesson.q; ++group)
        for (int k = 0; k < lesson.k; ++k)
            for (int thread = 0; thread < p; ++thread)
                for (int step = 0; step < lesson.u; ++step)
                    pairs.push_back({k * p + thread, group * p + (turn - 1) * lesson.u + step, group * p + thread});
    return pairs;
}

void tile_drawing(const Pen& pen, const Box& box, const TileLesson& lesson, int turn, bool diagonal) {
    const bool half = lesson.loop == TileLoop::kHalf;
    const Pen small = pen.sized(0.85f);
    const float words = 1.4f * small.size();
    const auto rows = static_cast<float>(lesson.rows()), columns = static_cast<float>(lesson.columns());
    const float across = columns + 3.5f, down = rows + (half && !diagonal ? 3.2f : 1.6f);
    const float cell = std::floor(std::min(box.width() / across, (box.height() - 2 * words) / down));
    if (cell < 5) return;
    const TileBoard board{{box.low.x + 3 * cell, box.low.y + words + 1.4f * cell}, cell};
    small.text({board.origin.x, box.low.y}, kTileDim,
               half ? phrase("bodies of the column, from a ring") : phrase("tile of p·q bodies in shared memory"));
    for (int row = 0; row < lesson.rows(); ++row)
        for (int column = 0; column < lesson.columns(); ++column)
            square(pen, board, static_cast<float>(column), static_cast<float>(row), kTileTrack);
    for (int before = 1; before < turn; ++before)
        for (const TilePair& pair : pairs_of_turn(lesson, before, diagonal))
            square(pen, board, static_cast<float>(pair.column), static_cast<float>(pair.row), kTileDone);
    for (const TilePair& pair : pairs_of_turn(lesson, turn, diagonal)) {
        const ImU32 color = thread_color(lesson, pair.thread);
        square(pen, board, static_cast<float>(pair.column), static_cast<float>(pair.row), color);
        body(pen, board, static_cast<float>(pair.column), -1.3f, color);
    }
    for (int column = 0; column < lesson.columns(); ++column)
        body(pen, board, static_cast<float>(column), -1.3f, kTileText, false);
    // Row bodies in registers, and the sums of their accelerations.
    for (int row = 0; row < lesson.rows(); ++row) {
        const auto y = static_cast<float>(row);
        body(pen, board, -1.2f, y, thread_color(lesson, row % TileLesson::kThreads));
        const ImVec2 low = board.at(-3, y + 0.2f), high = board.at(-1.5f, y + 0.75f);
        pen.draw().AddRectFilled(low, high, kTileTrack, 2);
        const float right = low.x + (high.x - low.x) * done_part(lesson, turn);
        pen.draw().AddRectFilled(low, {right, high.y}, thread_color(lesson, row % TileLesson::kThreads), 2);
    }
    small.text({board.at(-3, 0).x, box.low.y}, kTileDim, phrase("sums"));
    // The edges of the q groups' columns.
    for (int group = 1; group < (half ? 1 : lesson.q); ++group) {
        const float x = board.at(static_cast<float>(group * TileLesson::kThreads), 0).x - 1;
        pen.draw().AddLine({x, board.origin.y}, {x, board.origin.y + rows * cell}, kTileEdge, 1.5f);
    }
    if (!half || diagonal) return;
    // The reaction on a column travels with it past the rows; it has seen `turn` of them.
    for (int column = 0; column < lesson.columns(); ++column) {
        const ImVec2 low = board.at(static_cast<float>(column) + 0.2f, rows + 0.25f),
                     high = board.at(static_cast<float>(column) + 0.75f, rows + 1.6f);
        pen.draw().AddRectFilled(low, high, kTileTrack, 2);
        const int row = ((column - (turn - 1)) % TileLesson::kThreads + TileLesson::kThreads) % TileLesson::kThreads;
        const float top = high.y - (high.y - low.y) * done_part(lesson, turn);
        pen.draw().AddRectFilled({low.x, top}, high, turn > 0 ? thread_color(lesson, row) : kTileTrack, 2);
    }
    small.text({board.origin.x, board.at(0, rows + 1.75f).y}, kTileDim, phrase("reactions on the column bodies"));
}

}  // namespace orrery
