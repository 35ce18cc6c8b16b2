// SPDX-License-Identifier: MIT
// Local mass density from approximate nearest neighbours along a space-filling curve.
#pragma once
#include <cmath>
#include <cstdint>

#include "core/base/hd.hpp"
#include "core/base/vec.hpp"

namespace orrery {

inline constexpr std::uint32_t kDensityNeighbours = 16;  ///< k
inline constexpr std::uint32_t kDensityReach = 64;  ///< positions along the curve among which neighbours are searched
/// Median ratio of the density found to the true density in a uniform ball: the search misses some of the neighbours.
inline constexpr double kDensityFound = 0.5;

/// Mass density around the body at position `at` of a space-filling curve, from its k nearest neighbours: the mass of
/// the k − 1 nearer ones over the volume of the sphere through the k-th, which is unbiased (Casertano & Hut 1985, ApJ
/// 298, 80, eq. II.2). Only the kDensityReach bodies nearest along the curve are searched, which is cheap and misses
/// some neighbours; the deficit is the same everywhere and is corrected. `body(place)` returns a body, w = mass.
/// Returns 0 for fewer than three bodies, and at most 3e38, also where bodies coincide.
template <class Body>
ORRERY_HD float density_along_curve(const Body& body, std::uint32_t count, std::uint32_t at) {
    if (count < 3) return 0;
    // std::min takes references, but constants have no address on a device.
    constexpr auto least = [](std::uint32_t a, std::uint32_t b) { return a < b ? a : b; };
    const std::uint32_t k = least(count - 1, kDensityNeighbours), seen = least(count, kDensityReach + 1);
    const std::uint32_t first = least(at - least(at, kDensityReach / 2), count - seen), end = first + seen;
    const auto self = body(at);
    using Real = decltype(self.x);
    Real distance2[kDensityNeighbours], mass[kDensityNeighbours];  // ascending
    std::uint32_t found = 0;
    for (std::uint32_t j = first; j < end; ++j) {
        if (j == at) continue;
        const auto other = body(j);
        const Real x = other.x - self.x, y = other.y - self.y, z = other.z - self.z;
        const Real d2 = x * x + y * y + z * z;
        if (found == k && !(d2 < distance2[k - 1])) continue;
        std::uint32_t place = found < k ? found++ : k - 1;
        for (; place > 0 && d2 < distance2[place - 1]; --place)
            distance2[place] = distance2[place - 1], mass[place] = mass[place - 1];
        distance2[place] = d2, mass[place] = other.w;
    }
    double sum = 0;
    for (std::uint32_t i = 0; i + 1 < found; ++i) sum += static_cast<double>(mass[i]);
    const double r2 = static_cast<double>(distance2[found - 1]);
    const double all = seen < count ? kDensityFound : 1;  // expected fraction of the density found
    const double density = sum / (all * 4.18879020478639 * r2 * sqrt(r2));
    return density < 3e38 ? static_cast<float>(density) : 3e38f;  // this comparison also clamps NaN and ∞
}

}  // namespace orrery
