// SPDX-License-Identifier: MIT
// UTM of Avril, Gouranton and Arnaldi: counts the pairs a < b ≤ n along the rows of the upper triangle,
// a = ⌊(2n + 1 − √(4n² − 4n − 8k + 1))/2⌋, b = a + 1 + k − (a − 1)(2n − a)/2; a and b from 1, k from 0.
#pragma once
#include "core/maps/map.hpp"
#include "core/maps/roots.hpp"
#include "core/maps/rows.hpp"

namespace orrery {

template <Root R, class Real, class U>
ORRERY_HD Tile utm_in(U k, U rows) {
    // The pairs of n = rows + 1 things without the diagonal are the tiles with it: row = b − 2, col = a − 1. The
    // radicand is 8(M − k) + 1: what is left of the index, taken in integers, cancels nothing.
    const U n = rows + 1, left = tiles_before(rows) - k;
    const Real root = R{}(Real(8) * static_cast<Real>(left) + Real(1));
    const auto a = static_cast<U>((static_cast<Real>(2 * n + 1) - root) / 2);
    // Counted from its end, row a of the upper triangle is row n − a − 1 of the lower one: the same fix-up.
    const U from_end = row_of(left - 1, a < n ? n - a - 1 : 0);
    const U col = n - from_end - 2;
    return {static_cast<std::uint32_t>(col + tiles_before(from_end + 1) - left), static_cast<std::uint32_t>(col)};
}

/// In block space, for engines: M × 1 blocks, none wasted, columns of the triangle one after the other.
template <Root R>
struct Utm {
    static constexpr std::string_view name = "utm", root = R::name;
    ORRERY_HD static constexpr Grid grid(std::uint32_t rows) { return {triangular(rows), 1}; }
    ORRERY_HD Tile operator()(Block block, std::uint32_t rows) const {
        if (rows <= kNarrowRows) return utm_in<R, typename R::Real>(static_cast<std::uint32_t>(block.x), rows);
        return utm_in<R, double>(block.x, std::uint64_t{rows});
    }
};
static_assert(TriangleMap<Utm<SqrtRoot>>);

/// Threads of the published form, 1 ≤ a < b ≤ n.
struct ThreadPair {
    std::int64_t a, b;
    friend bool operator==(const ThreadPair&, const ThreadPair&) = default;
};

/// The published thread-space form, for the laboratory: thread k of n(n − 1)/2. The radicand is taken in `Real`, as in
/// print: it cancels towards the last rows, where it is kept from falling below 1. Two conditionals repair a row that
/// is wrong by one; where it is wrong by more, so is the pair. docs/maps.md says from which n on.
template <Root R>
ORRERY_HD ThreadPair utm_published(std::int64_t k, std::int64_t n) {
    using Real = typename R::Real;
    const auto real_n = static_cast<Real>(n);
    const Real radicand = 4 * real_n * real_n - 4 * real_n - 8 * static_cast<Real>(k) + 1;
    const Real root = R{}(radicand > 1 ? radicand : Real(1));
    auto a = static_cast<std::int64_t>((-(2 * real_n + 1) + root) / Real(-2));
    std::int64_t b = a + 1 + k - (a - 1) * (2 * n - a) / 2;
    if (b > n) ++a, b = a + b - n;
    if (b <= a) b = n - (a - b), --a;
    return {a, b};
}

}  // namespace orrery
