// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>

namespace orrery {

/// Bodies on a side of a tile are stored in multiples of this, whatever the vector length: 64 bytes of float.
inline constexpr std::size_t kTilePadding = 16;
inline constexpr std::size_t kMaxTile = 2048;  ///< its sums, in double, are 64 KiB of a thread's stack
inline constexpr std::size_t kJerkPlanes = 7;  ///< of half_jerk_tile(): of bodies, and of sums (112 KiB)

/// What sums of the acceleration lack besides G.
template <class Real>
inline constexpr Real kHalfScale = 1;
template <>
inline constexpr float kHalfScale<float> = 1.5f;

/// While all coordinates and ε stay below this, D^(-3/2) of every pair is a normal number of its type.
template <class Real>
inline constexpr Real kNearby = Real(1e90);
template <>
inline constexpr float kNearby<float> = 1e11f;

/// One tile pair of the half matrix. A tile of bodies is four planes of `stride` numbers, x, y, z and mass, and with
/// `split` those of BodyView::low, one after the other, at a multiple of 64 bytes; sums are planes x, y, z and, with
/// `potential`, w. A sum is the acceleration up to G and kHalfScale; w gathers Σ m/√D. A body does not meet itself.
template <class Real>
struct HalfTile {
    const Real* row;
    const Real* column;   ///< the same as `row` on the diagonal
    Real* row_sum;        ///< added to, or written when `row_first`
    Real* column_sum;     ///< likewise; not touched on the diagonal
    std::size_t stride;   ///< a multiple of kTilePadding, at most kMaxTile
    std::size_t rows;     ///< bodies of the row tile; the rest is padding without mass
    std::size_t columns;  ///< likewise
    Real softening2;
    bool row_first, column_first;
    bool diagonal;
    bool potential;
    bool split;
    bool near;          ///< coordinates of both tiles, and ε, are below kNearby
    bool equal_masses;  ///< all bodies of both tiles have one mass, and no padding is among them
};
void half_tile(const HalfTile<float>& work);
void half_tile(const HalfTile<double>& work);

/// The same with jerks. A tile of bodies is x, y, z, mass and velocity; sums are x, y, z of the acceleration, Σ m/√D
/// and the jerk, all up to G alone. Of `work`, potential, split, near and equal_masses are not read.
void half_jerk_tile(const HalfTile<float>& work);
void half_jerk_tile(const HalfTile<double>& work);

}  // namespace orrery
