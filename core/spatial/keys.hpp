// SPDX-License-Identifier: MIT
// Keys of cells along the Hilbert curve. Pure integer functions: the same key on host and device, with any instruction
// set.
#pragma once
#include <cstddef>
#include <cstdint>

#include "core/base/hd.hpp"
#include "core/base/vec.hpp"

namespace orrery {

inline constexpr int kKeyLevels = 21;                             ///< bits per axis: 63 of a 64-bit key
inline constexpr std::uint32_t kKeyCells = 1u << kKeyLevels;      ///< cells of the finest grid along an axis
inline constexpr std::uint64_t kKeyEnd = 1ull << 3 * kKeyLevels;  ///< all keys are below this

/// A cell of the grid with 2^level cells along an axis.
struct GridPoint {
    std::uint32_t x, y, z;
    friend bool operator==(const GridPoint&, const GridPoint&) = default;
};

/// The cube that keys subdivide. A point outside it, or NaN, is assigned to a cell at the edge.
template <class Real>
struct KeyGrid {
    Vec3<Real> low;
    Real per_length;  ///< finest cells per unit of length; 0: all bodies coincide

    ORRERY_HD static std::uint32_t coordinate(Real offset) {
        if (!(offset > 0)) return 0;
        return offset < Real(kKeyCells) ? static_cast<std::uint32_t>(offset) : kKeyCells - 1;
    }
    ORRERY_HD GridPoint operator()(Vec3<Real> at) const {
        return {coordinate((at.x - low.x) * per_length), coordinate((at.y - low.y) * per_length),
                coordinate((at.z - low.z) * per_length)};
    }
};

/// The grid of a cube. If the side is so small that the number of cells per length would overflow, the grid is coarser.
/// A side of 0 or infinity is not subdivided: every body then has the same key, and the tree is one leaf.
template <class Real>
ORRERY_HD KeyGrid<Real> key_grid(Vec3<Real> low, Real side) {
    const Real most = sizeof(Real) == 4 ? Real(1e38) : Real(1e307);
    if (!(side > 0)) return {low, 0};
    const Real cells = Real(kKeyCells);
    return {low, side > cells / most ? cells / side : most};
}

/// The key of a cell along the Morton curve: its coordinates' bits in turn, those of x first.
ORRERY_HD constexpr std::uint64_t morton_key(GridPoint cell) {
    const auto spread = [](std::uint64_t v) constexpr {  // 21 bits, two zeros after each
        v = (v | v << 32) & 0x001f00000000ffffull;
        v = (v | v << 16) & 0x001f0000ff0000ffull;
        v = (v | v << 8) & 0x100f00f00f00f00full;
        v = (v | v << 4) & 0x10c30c30c30c30c3ull;
        return (v | v << 2) & 0x1249249249249249ull;
    };
    return spread(cell.x) << 2 | spread(cell.y) << 1 | spread(cell.z);
}

/// The key of a cell of the finest grid (Skilling 2004, AIP Conf. Proc. 707, 381): neighbours along the curve are
/// neighbours in space, and the first 3·l bits identify the cell at level l. Only the bits of `levels` are computed;
/// the others are 0.
ORRERY_HD constexpr std::uint64_t hilbert_key(GridPoint cell, int levels = kKeyLevels) {
    std::uint32_t x = cell.x, y = cell.y, z = cell.z;
    const std::uint32_t last = 1u << (kKeyLevels - levels);
    for (std::uint32_t bit = kKeyCells >> 1; bit > last; bit >>= 1) {
        const std::uint32_t below = bit - 1;
        // If an axis has the bit set, the lower bits of the first axis are inverted; otherwise the two axes exchange
        // their lower bits. `has` is all ones or zero, so that the lanes of a warp do not diverge.
        x ^= (x & bit) != 0 ? below : 0;
        const std::uint32_t y_has = (y & bit) != 0 ? ~0u : 0;
        const std::uint32_t xy = (x ^ y) & below & ~y_has;
        x ^= xy | (below & y_has), y ^= xy;
        const std::uint32_t z_has = (z & bit) != 0 ? ~0u : 0;
        const std::uint32_t xz = (x ^ z) & below & ~z_has;
        x ^= xz | (below & z_has), z ^= xz;
    }
    y ^= x, z ^= y;  // Gray code
    std::uint32_t turned = 0;
    for (std::uint32_t bit = kKeyCells >> 1; bit > last; bit >>= 1) turned ^= (z & bit) != 0 ? bit - 1 : 0;
    x ^= turned, y ^= turned, z ^= turned;
    const int below = 3 * (kKeyLevels - levels);
    return morton_key({x, y, z}) >> below << below;
}

/// Vectorised hilbert_key() for many cells, with the same results. x, y and z may be read up to the next multiple of 64
/// bytes.
void hilbert_keys(const std::uint32_t* x, const std::uint32_t* y, const std::uint32_t* z, std::size_t count,
                  std::uint64_t* keys);

/// The inverse of hilbert_key().
ORRERY_HD constexpr GridPoint hilbert_cell(std::uint64_t key) {
    const auto gather = [](std::uint64_t v) constexpr {  // every third bit
        v &= 0x1249249249249249ull;
        v = (v | v >> 2) & 0x10c30c30c30c30c3ull;
        v = (v | v >> 4) & 0x100f00f00f00f00full;
        v = (v | v >> 8) & 0x001f0000ff0000ffull;
        v = (v | v >> 16) & 0x001f00000000ffffull;
        return static_cast<std::uint32_t>(v | v >> 32) & (kKeyCells - 1);
    };
    std::uint32_t x = gather(key >> 2), y = gather(key >> 1), z = gather(key);
    const std::uint32_t gray = z >> 1;
    z ^= y, y ^= x, x ^= gray;
    for (std::uint32_t bit = 2; bit != kKeyCells; bit <<= 1) {
        const std::uint32_t below = bit - 1;
        const std::uint32_t xz = (x ^ z) & below;
        if ((z & bit) != 0)
            x ^= below;
        else
            x ^= xz, z ^= xz;
        const std::uint32_t xy = (x ^ y) & below;
        if ((y & bit) != 0)
            x ^= below;
        else
            x ^= xy, y ^= xy;
        if ((x & bit) != 0) x ^= below;
    }
    return {x, y, z};
}

template <class Real>
ORRERY_HD std::uint64_t key_of(const KeyGrid<Real>& grid, Vec3<Real> at, int levels = kKeyLevels) {
    return hilbert_key(grid(at), levels);
}

/// The octant, in curve order, in which a key lies within its cell at `level` (0: the root).
ORRERY_HD constexpr unsigned octant(std::uint64_t key, int level) {
    return static_cast<unsigned>(key >> 3 * (kKeyLevels - 1 - level)) & 7;
}
/// First key of the cell at `level` that holds `key`; the cell has keys_in_cell(level) keys.
ORRERY_HD constexpr std::uint64_t first_key(std::uint64_t key, int level) {
    const int shift = 3 * (kKeyLevels - level);
    return key >> shift << shift;
}
ORRERY_HD constexpr std::uint64_t keys_in_cell(int level) { return 1ull << 3 * (kKeyLevels - level); }

/// The cell at `level` that holds `key`, in the grid of that level.
ORRERY_HD constexpr GridPoint cell_of(std::uint64_t key, int level) {
    const GridPoint cell = hilbert_cell(first_key(key, level));
    const int shift = kKeyLevels - level;
    return {cell.x >> shift, cell.y >> shift, cell.z >> shift};
}
/// Lowest corner of that cell, whose side is `side` / 2^level.
template <class Real>
ORRERY_HD Vec3<Real> cell_corner(std::uint64_t key, int level, Vec3<Real> low, Real side) {
    const GridPoint cell = cell_of(key, level);
    const Real step = side / Real(1u << level);
    return {low.x + step * Real(cell.x), low.y + step * Real(cell.y), low.z + step * Real(cell.z)};
}

}  // namespace orrery
