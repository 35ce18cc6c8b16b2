// SPDX-License-Identifier: MIT
// How far the maps are exact that trust a root: measured, where they run.
#pragma once
#include <cstdint>

#include "core/base/backend.hpp"
#include "core/maps/any_map.hpp"

namespace orrery {

/// Does a λ in row order place the first and the last tile of this row? There a root errs first.
template <class Map>
ORRERY_HD bool places_row(const Map& map, std::uint32_t row, std::uint32_t rows) {
    return map(Block{triangular(row), 0}, rows) == Tile{row, 0} &&
           map(Block{triangular(row) + row, 0}, rows) == Tile{row, row};
}

template <Root R>
ORRERY_HD bool utm_places_row(std::int64_t a, std::int64_t n) {
    const std::int64_t k = (a - 1) * (2 * n - a) / 2;
    return utm_published<R>(k, n) == ThreadPair{a, a + 1} && utm_published<R>(k + n - a - 1, n) == ThreadPair{a, n};
}

/// Does the thread-space UTM, as published, place the first and the last pair (a, b) of row a ≥ 1, with b ≤ n?
ORRERY_HD inline bool utm_places_row(RootId root, std::int64_t a, std::int64_t n) {
    bool right = false;
    with_root(root, [&]<class R>(R) { right = utm_places_row<R>(a, n); });
    return right;
}

/// The first row below `limit` whose first or last tile this λ in row order misses; `limit` when there is none. A
/// triangle of as many rows is still right. Throws Error{kEnvironment} where `where` is no device of this machine.
std::uint32_t first_wrong_row(AnyMap map, std::uint32_t limit, Backend where);
/// The first n below `limit` for which the thread-space UTM misses the first or last pair of a row; else `limit`.
std::uint32_t first_wrong_utm(RootId root, std::uint32_t limit, Backend where);

// core/lab/cuda
std::uint32_t first_wrong_row_on_device(AnyMap map, std::uint32_t limit);
std::uint32_t first_wrong_utm_on_device(RootId root, std::uint32_t limit);

}  // namespace orrery
