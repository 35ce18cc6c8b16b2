// SPDX-License-Identifier: MIT
// UTM of Avril, Gouranton and Arnaldi: counts the pairs a < b ≤ n along the rows of the upper triangle,
// a = ⌊(2n + 1 − √(4n² − 4n − 8k + 1))/2⌋, b = a + 1 + k − (a − 1)(2n − a)/2; a and b from 1, k from 0.
#pragma once
#include "core/maps/lambda.hpp"

namespace orrery {

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

}  // namespace orrery
