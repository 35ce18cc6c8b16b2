// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>

#include "core/physics/pair_law.hpp"

namespace orrery {

/// Tiles are padded to a multiple of this number of bodies, which suits any vector length: 64 bytes of float.
inline constexpr std::size_t kTilePadding = 16;
inline constexpr std::size_t kMaxTile = 2048;  ///< its sums, in double, take 64 KiB of a thread's stack
inline constexpr std::size_t kJerkPlanes = 7;  ///< planes of bodies and of sums in half_jerk_tile() (112 KiB)

/// The factor, besides G, missing from sums of the acceleration.
template <class Real>
inline constexpr Real kHalfScale = 1;
template <>
inline constexpr float kHalfScale<float> = 1.5f;

/// While all coordinates and ε stay below this, D^(-3/2) of every pair is a normal number of the type.
template <class Real>
inline constexpr Real kNearby = Real(1e90);
template <>
inline constexpr float kNearby<float> = 1e11f;

/// One pair of tiles of the half matrix. A tile of bodies consists of four consecutive planes of `stride` numbers, x,
/// y, z and mass, followed with `split` by those of BodyView::low, aligned to 64 bytes; sums are planes x, y, z and,
/// with `potential`, w. A sum is the acceleration without the factors G and kHalfScale; w accumulates Σ m/√D. A body
/// does not interact with itself.
template <class Real>
struct HalfTile {
    const Real* row;
    const Real* column;   ///< the same as `row` on the diagonal
    Real* row_sum;        ///< accumulated, or overwritten if `row_first`
    Real* column_sum;     ///< the same with `column_first`; not accessed on the diagonal
    std::size_t stride;   ///< a multiple of kTilePadding, at most kMaxTile
    std::size_t rows;     ///< bodies of the row tile; the rest is massless padding
    std::size_t columns;  ///< bodies of the column tile
    std::size_t last;     ///< the column whose vector is summed last, the following ones being summed first
    Real softening2;
    bool row_first, column_first;
    bool diagonal;
    bool potential;
    bool split;
    bool near;                        ///< coordinates of both tiles, and ε, are below kNearby
    bool equal_masses;                ///< all bodies of both tiles have the same mass, and there is no padding
    PairLaw law = PairLaw::kGravity;  ///< if not gravity, the fourth plane of bodies has strengths, and w sums depths
    PairConstants<Real> constants{};  ///< for laws other than gravity
};
void half_tile(const HalfTile<float>& work);
void half_tile(const HalfTile<double>& work);

/// The same with jerks. A tile of bodies is x, y, z, mass and velocity; sums are x, y, z of the acceleration, Σ m/√D
/// and the jerk, all without the factor G. Ignores `potential`, `split`, `near` and `equal_masses`.
void half_jerk_tile(const HalfTile<float>& work);
void half_jerk_tile(const HalfTile<double>& work);

}  // namespace orrery
