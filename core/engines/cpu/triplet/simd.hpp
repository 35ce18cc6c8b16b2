// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>

namespace orrery {

inline constexpr std::size_t kTripletStep =
    16;  // sides of tiles are multiples of this; a multiple of any vector length
inline constexpr std::size_t kTripletMostSide = 32;  // tables of all pairs of two tiles fit the L2 cache

/// One triple of tiles. Bodies are stored in planes of `side` numbers: x, y, z, mass, and with `split` those of
/// BodyView::low; padding repeats the last body with mass 0.
template <class Real>
struct TripletTile {
    const Real *i, *j, *k;
    std::size_t side;
    std::size_t in_i, in_j;  ///< bodies of the first two tiles; padding of the third is harmless
    std::size_t in_k;
    bool same_ij, same_jk;  ///< identical tiles, where each triplet is computed once
    Real softening2;
    bool potential, split;
    double *sum_i, *sum_j, *sum_k;  ///< planes x, y, z, potential; accumulated, without 3ν (potential: without ν)
};

void triplet_tile(const TripletTile<float>& work);
void triplet_tile(const TripletTile<double>& work);

}  // namespace orrery
