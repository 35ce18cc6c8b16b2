// SPDX-License-Identifier: MIT
// λ(ω) of Navarro and Hitschfeld: block ω takes the ω-th tile of the triangle in row order,
// row = ⌊√(1/4 + 2ω) − 1/2⌋, col = ω − row(row + 1)/2.
#pragma once
#include "core/maps/map.hpp"
#include "core/maps/roots.hpp"
#include "core/maps/rows.hpp"

namespace orrery {

/// Exact with any root that is within a factor of two.
template <Root R, class Real, class U>
ORRERY_HD Tile lambda_in(U k) {
    const auto proposal = static_cast<U>(R{}(Real(2) * static_cast<Real>(k) + Real(0.25)) - Real(0.5));
    const U row = row_of(k, proposal);
    return {static_cast<std::uint32_t>(row), static_cast<std::uint32_t>(k - tiles_before(row))};
}

/// For kNarrowRows rows: one comparison corrects the proposal of any NearRoot.
template <NearRoot R>
ORRERY_HD Tile lambda_narrow(std::int32_t k) {
    const exact::Pair pair = exact::narrow_pair<R>(k);
    return {pair.row, pair.col};
}

/// Tile k of the triangle in row order. The proposal is computed in float as long as its precision suffices, then in
/// double.
template <Root R>
ORRERY_HD Tile lambda_tile(std::uint64_t k, std::uint32_t rows) {
    if (rows > kNarrowRows) return lambda_in<R, double>(k);
    if constexpr (NearRoot<R>)
        return lambda_narrow<R>(static_cast<std::int32_t>(k));
    else
        return lambda_in<R, typename R::Real>(static_cast<std::uint32_t>(k));
}

/// On a line of M = m(m + 1)/2 blocks: none is wasted.
template <Root R>
struct Lambda {
    static constexpr std::string_view name = "lambda", root = R::name;
    static constexpr std::string_view
        label = "Lambda",
        doc = "tiles counted row by row, the row of tile k by a square root; a line of blocks, none wasted";
    static constexpr Wastes wastes = Wastes::kNothing;
    ORRERY_HD static constexpr Grid grid(std::uint32_t rows) { return {triangular(rows), 1}; }
    ORRERY_HD Tile operator()(Block block, std::uint32_t rows) const { return lambda_tile<R>(block.x, rows); }
};

/// ⌈√M⌉, the side of the papers' balanced grid. √M = (2m + 1)/√8 less than 1/(8m): a product in fixed point is off by
/// at most one, and integer arithmetic corrects it.
ORRERY_HD constexpr std::uint64_t balanced_side(std::uint32_t rows) {
    constexpr std::uint64_t kRoot8 = 1518500249;  // 2³²/√8
    const std::uint64_t tiles = triangular(rows);
    std::uint64_t side = ((2 * std::uint64_t{rows} + 1) * kRoot8) >> 32;
    while (side * side < tiles) ++side;
    while (side > 0 && (side - 1) * (side - 1) >= tiles) --side;
    return side;
}

/// On the papers' balanced grid of m′ × m′ blocks, m′ = ⌈√M⌉, ω = x + y·m′: fewer than 2m′ blocks are wasted, all at
/// the end.
template <Root R>
struct LambdaGrid {
    static constexpr std::string_view name = "lambda-grid", root = R::name;
    static constexpr std::string_view label = "Lambda, balanced grid",
                                      doc = "the same on the papers' square grid; less than two rows of blocks wasted";
    static constexpr Wastes wastes = Wastes::kAnything;
    ORRERY_HD static constexpr Grid grid(std::uint32_t rows) {
        const std::uint64_t side = balanced_side(rows);
        return {side, side};
    }
    ORRERY_HD Tile operator()(Block block, std::uint32_t rows) const {
        return lambda_tile<R>(block.x + block.y * balanced_side(rows), rows);
    }
};

/// The diagonal comes last on the line: first the m(m − 1)/2 tiles below it, row = ⌊√(1/4 + 2ω) + 1/2⌋, col = ω −
/// row(row − 1)/2 (the papers print row + 1, which gives −1 at ω = 0), then its m tiles.
template <Root R>
struct LambdaStrict {
    static constexpr std::string_view name = "lambda-strict", root = R::name;
    static constexpr std::string_view label = "Lambda without diagonal",
                                      doc =
                                          "the tiles below the diagonal counted row by row, then those of the "
                                          "diagonal; none wasted";
    static constexpr Wastes wastes = Wastes::kNothing;
    ORRERY_HD static constexpr Grid grid(std::uint32_t rows) { return {triangular(rows), 1}; }
    ORRERY_HD static constexpr std::uint64_t below(std::uint32_t rows) { return triangular(rows) - rows; }
    /// Tile k of those below the diagonal.
    ORRERY_HD static Tile tile_below(std::uint64_t k, std::uint32_t rows) {
        const Tile tile = lambda_tile<R>(k, rows);
        return {tile.row + 1, tile.col};
    }
    ORRERY_HD Tile operator()(Block block, std::uint32_t rows) const {
        if (block.x < below(rows)) return tile_below(block.x, rows);
        const auto row = static_cast<std::uint32_t>(block.x - below(rows));
        return {row, row};
    }
};
static_assert(TriangleMap<Lambda<SqrtRoot>> && TriangleMap<LambdaGrid<SqrtRoot>> &&
              TriangleMap<LambdaStrict<SqrtRoot>>);

}  // namespace orrery
