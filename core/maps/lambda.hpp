// SPDX-License-Identifier: MIT
// λ(ω) of Navarro and Hitschfeld: block ω takes the ω-th tile of the triangle in row order,
// row = ⌊√(1/4 + 2ω) − 1/2⌋, col = ω − row(row + 1)/2.
#pragma once
#include <vector>

#include "core/maps/map.hpp"
#include "core/maps/roots.hpp"

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

// UTM of Avril, Gouranton and Arnaldi: counts the pairs a < b ≤ n along the rows of the upper triangle,
// a = ⌊(2n + 1 − √(4n² − 4n − 8k + 1))/2⌋, b = a + 1 + k − (a − 1)(2n − a)/2; a and b from 1, k from 0.

/// The radicand 4n² − 4n − 8k + 1 = 8(M − k) + 1, M = n(n − 1)/2, is an integer: that of λ counted from the end of a
/// triangle of n − 1 = `rows` rows, where pair k is (a, b) = (rows − row, rows + 1 − col). Exact with any root, and
/// pairs of the same a have neighbouring columns.
template <Root R>
ORRERY_HD Tile utm_from_end(std::uint64_t k, std::uint32_t rows) {
    return lambda_tile<R>(triangular(rows) - 1 - k, rows);
}

/// The block-space form, for engines: M × 1 blocks, none wasted, column by column. The pairs of n = m + 1 elements
/// without the diagonal are the tiles with it, row = b − 2 and col = a − 1. Counted from the end, row a of the upper
/// triangle is row m − a of the lower one, and the map is λ with the same root.
template <Root R>
struct Utm {
    static constexpr std::string_view name = "utm", root = R::name;
    static constexpr std::string_view label = "Upper triangular",
                                      doc = "tile k in column order, found with a square root, counted from the end";
    static constexpr Wastes wastes = Wastes::kNothing;
    ORRERY_HD static constexpr Grid grid(std::uint32_t rows) { return {triangular(rows), 1}; }
    ORRERY_HD Tile operator()(Block block, std::uint32_t rows) const {
        const Tile tile = utm_from_end<R>(block.x, rows);
        return {rows - 1 - tile.col, rows - 1 - tile.row};
    }
};
static_assert(TriangleMap<Utm<SqrtRoot>>);

/// Threads of the published form, 1 ≤ a < b ≤ n.
struct ThreadPair {
    std::int64_t a, b;
    friend bool operator==(const ThreadPair&, const ThreadPair&) = default;
};

/// The published thread-space form, for the laboratory: thread k of n(n − 1)/2. The radicand is computed in `Real`, as
/// printed: it suffers cancellation towards the last rows, where it is clamped to at least 1. Two conditionals correct
/// a row that is off by one; if it is off by more, the pair is wrong. docs/maps.md gives the n from which on that
/// happens. `Int` must hold n².
template <Root R, class Int = std::int64_t>
ORRERY_HD ThreadPair utm_published(Int k, Int n) {
    using Real = typename R::Real;
    const auto real_n = static_cast<Real>(n);
    const Real radicand = 4 * real_n * real_n - 4 * real_n - 8 * static_cast<Real>(k) + 1;
    const Real root = R{}(radicand > 1 ? radicand : Real(1));
    auto a = static_cast<Int>((-(2 * real_n + 1) + root) / Real(-2));
    Int b = a + 1 + k - (a - 1) * (2 * n - a) / 2;
    if (b > n) ++a, b = a + b - n;
    if (b <= a) b = n - (a - b), --a;
    return {a, b};
}

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

// λ as published, for study: without integer correction. Exact only up to a number of rows that is measured, not
// proved: `orrery lab --experiment exactness` measures it, exact_rows() in maps.hpp has the table, and docs/maps.md
// lists it.

/// LTM of the papers: X (sqrt) without ε; the approximate roots N (newton) and R (rsqrt) with ε = 1e-4 "to repair the
/// floating point error".
template <Root R>
inline constexpr double published_epsilon = std::same_as<R, SqrtRoot> || std::same_as<R, Fp64Root> ? 0.0 : 1e-4;

/// Tile ω from the root alone.
template <Root R>
ORRERY_HD Tile published_tile(std::uint64_t omega) {
    using Real = typename R::Real;
    const Real root = R{}(Real(2) * static_cast<Real>(omega) + Real(0.25));
    const auto row = static_cast<std::uint32_t>(root - Real(0.5) + Real(published_epsilon<R>));
    return {row, static_cast<std::uint32_t>(omega - triangular(row))};
}

/// Exact rows of either grid, on a host and on a device.
inline constexpr ExactRows kPublishedRows{{4607, 1622, 2054, 1u << 20, 4607}, {4607, 1949, 2055, 1u << 20, 2048}};

/// On a line of blocks.
template <Root R>
struct LambdaPublished {
    static constexpr std::string_view name = "lambda-published", root = R::name;
    static constexpr std::string_view
        label = "Lambda as published",
        doc = "the root trusted, with epsilon = 1e-4 where it is approximate; exact up to a measured range";
    static constexpr Wastes wastes = Wastes::kAnything;
    static constexpr ExactRows exact = kPublishedRows;
    ORRERY_HD static constexpr Grid grid(std::uint32_t rows) { return {triangular(rows), 1}; }
    ORRERY_HD Tile operator()(Block block, std::uint32_t) const { return published_tile<R>(block.x); }
};

/// The form that the papers timed: on the balanced grid of m′ × m′ blocks, ω = x + y·m′.
template <Root R>
struct LambdaPublishedGrid {
    static constexpr std::string_view name = "lambda-published-grid", root = R::name;
    static constexpr std::string_view label = "Lambda as published, balanced grid",
                                      doc = "the same on the square grid that the papers timed";
    static constexpr Wastes wastes = Wastes::kAnything;
    static constexpr ExactRows exact = kPublishedRows;
    ORRERY_HD static constexpr Grid grid(std::uint32_t rows) { return LambdaGrid<R>::grid(rows); }
    ORRERY_HD Tile operator()(Block block, std::uint32_t rows) const {
        return published_tile<R>(block.x + block.y * balanced_side(rows));
    }
};

/// The form of the authors' later programs: −1/2 and ε combined in one constant, −0.4999, for every root.
template <Root R>
struct LambdaOffset {
    static constexpr std::string_view name = "lambda-offset", root = R::name;
    static constexpr std::string_view label = "Lambda, -0.4999",
                                      doc = "the authors' later constant, for every root; its exact range is measured";
    static constexpr Wastes wastes = Wastes::kAnything;
    static constexpr ExactRows exact{{4607, 1622, 2054, 9999, 4607}, {4607, 1527, 1967, 9999, 2048}};
    ORRERY_HD static constexpr Grid grid(std::uint32_t rows) { return {triangular(rows), 1}; }
    ORRERY_HD Tile operator()(Block block, std::uint32_t) const {
        using Real = typename R::Real;
        const auto row =
            static_cast<std::uint32_t>(R{}(Real(2) * static_cast<Real>(block.x) + Real(0.25)) - Real(0.4999));
        return {row, static_cast<std::uint32_t>(block.x - triangular(row))};
    }
};
static_assert(TriangleMap<LambdaPublished<SqrtRoot>> && TriangleMap<LambdaPublishedGrid<SqrtRoot>> &&
              TriangleMap<LambdaOffset<SqrtRoot>>);

}  // namespace orrery
