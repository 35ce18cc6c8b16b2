// SPDX-License-Identifier: MIT
#include "app/render/sky.hpp"

#include <algorithm>
#include <cmath>

#include "core/base/random.hpp"

namespace orrery {
namespace {

constexpr double kNearest2 = kFaintest;  // square of the distance of the nearest star over that of the farthest

/// Uniform in a sphere of radius 1, except where a star would be too bright. Uses rejection, without functions that
/// differ between mathematics libraries.
Vec3d place(Random& random) {
    for (;;) {
        const double x = random.uniform(-1, 1), y = random.uniform(-1, 1), z = random.uniform(-1, 1);
        const double r2 = x * x + y * y + z * z;
        if (r2 >= kNearest2 && r2 <= 1) return {x, y, z};
    }
}

float mixed(double a, double b, double share) { return static_cast<float>(a + (b - a) * share); }

/// Warm at 0, white at 0.5, bluish at 1; paler than real stars, as the eye perceives them.
Vec3f color(double at) {
    if (at < 0.5) return {1, mixed(0.76, 1, 2 * at), mixed(0.55, 1, 2 * at)};
    const double share = 2 * at - 1;
    return {mixed(1, 0.68, share), mixed(1, 0.80, share), 1};
}

}  // namespace

std::vector<Star> sky(std::uint64_t seed) {
    Random random{seed};
    std::vector<Star> stars;
    stars.reserve(kSkyStars);
    for (std::size_t i = 0; i < kSkyStars; ++i) {
        const Vec3d p = place(random);
        const double r2 = p.x * p.x + p.y * p.y + p.z * p.z, r = std::sqrt(r2);
        stars.push_back({{static_cast<float>(p.x / r), static_cast<float>(p.y / r), static_cast<float>(p.z / r)},
                         static_cast<float>(kNearest2 / r2),
                         color((random.uniform() + random.uniform()) / 2),
                         0});
    }
    return stars;
}

}  // namespace orrery
