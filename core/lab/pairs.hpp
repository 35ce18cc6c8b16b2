// SPDX-License-Identifier: MIT
// The pair computations of edm and collision, shared by CPU and GPU.
#pragma once
#include <cmath>
#include <cstdint>
#include <vector>

#include "core/base/hd.hpp"
#include "core/base/random.hpp"
#include "core/base/vec.hpp"

namespace orrery {

/// Radius of the spheres in collision, whose diameters are uniform below a tenth of the box. In one dimension a tenth
/// of all pairs collide, in three a thousandth.
inline constexpr float kLargestRadius = 0.05f;
/// Row and column bodies per thread in collision: a block of ρ × ρ threads processes a tile of 4ρ × 4ρ pairs. In
/// collision-pairs a thread processes one pair.
inline constexpr std::uint32_t kSpan = 4;
/// In collision-rows, as in the authors' program, a block of 8ρ threads processes a tile of 8ρ × 8ρ pairs, one row of
/// it per thread, and writes nothing for spheres that do not overlap.
inline constexpr std::uint32_t kRowSpan = 8;
constexpr bool flags_every_pair(std::uint32_t span) { return span != kRowSpan; }

/// a·b + c, rounded once on a device and twice on a host; always the same on each.
ORRERY_HD inline float multiply_add(float a, float b, float c) {
#ifdef __CUDA_ARCH__
    return __fmaf_rn(a, b, c);
#else
    return a * b + c;
#endif
}
ORRERY_HD inline float product(float a, float b) {
#ifdef __CUDA_ARCH__
    return __fmul_rn(a, b);
#else
    return a * b;
#endif
}

/// The first F features of a body as one load.
template <int F>
struct Features;
template <>
struct Features<1> {
    float x;
    static Features of(Vec4f body) { return {body.x}; }
};
template <>
struct alignas(8) Features<2> {
    float x, y;
    static Features of(Vec4f body) { return {body.x, body.y}; }
};
template <>
struct alignas(16) Features<3> {
    float x, y, z, unused;
    static Features of(Vec4f body) { return {body.x, body.y, body.z, 0}; }
};
template <>
struct alignas(16) Features<4> {
    float x, y, z, w;
    static Features of(Vec4f body) { return {body.x, body.y, body.z, body.w}; }
};

template <int F>
ORRERY_HD float distance2(Features<F> a, Features<F> b) {
    float sum = product(a.x - b.x, a.x - b.x);
    if constexpr (F >= 2) sum = multiply_add(a.y - b.y, a.y - b.y, sum);
    if constexpr (F >= 3) sum = multiply_add(a.z - b.z, a.z - b.z, sum);
    if constexpr (F >= 4) sum = multiply_add(a.w - b.w, a.w - b.w, sum);
    return sum;
}

/// Negative if two spheres overlap: d² − (r₁ + r₂)².
template <int D>
ORRERY_HD float gap(Vec4f a, Vec4f b) {
    const float reach = a.w + b.w;
    float d2 = product(a.x - b.x, a.x - b.x);
    if constexpr (D == 3) {
        d2 = multiply_add(a.y - b.y, a.y - b.y, d2);
        d2 = multiply_add(a.z - b.z, a.z - b.z, d2);
    }
    return multiply_add(-reach, reach, d2);
}

inline constexpr std::uint8_t kUnwritten = 0xff;  ///< value of every flag before a check

/// Checks the flag of a pair (i, j). If every pair has a flag, tiles on the diagonal may leave a 0 on and above it.
ORRERY_HD constexpr bool flag_is_right(std::uint8_t flag, bool below_diagonal, bool collides, bool every_pair) {
    if (!every_pair) return flag == (below_diagonal && collides ? 1 : kUnwritten);
    return below_diagonal ? flag == (collides ? 1 : 0) : flag == 0 || flag == kUnwritten;
}

/// Padding of the last tile: overlaps neither a sphere in the box nor itself.
ORRERY_HD inline Vec4f far_away() { return {1e15f, 1e15f, 1e15f, 0}; }

// The game of life (Gardner 1970) on the triangle of cells (i, j), j ≤ i < N, shared by CPU and GPU. Cells outside are
// dead.

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
