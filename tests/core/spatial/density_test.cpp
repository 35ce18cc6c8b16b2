// SPDX-License-Identifier: MIT
#include "core/spatial/density.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numbers>
#include <random>
#include <utility>
#include <vector>

namespace orrery::test {
namespace {

float density_of(const std::vector<Vec4d>& bodies, std::size_t at) {
    return density_along_curve([&](std::uint32_t place) { return bodies[place]; },
                               static_cast<std::uint32_t>(bodies.size()), static_cast<std::uint32_t>(at));
}

TEST(Density, IsNearerMassOverSphereOfFarthestNeighbour) {
    const std::vector<Vec4d> bodies{{0, 0, 0, 100}, {0, 0, 2, 5}, {-1, 0, 0, 3}};
    const double sphere = 4 * std::numbers::pi / 3;
    EXPECT_FLOAT_EQ(density_of(bodies, 0), static_cast<float>(3 / (sphere * 8)));
    EXPECT_FLOAT_EQ(density_of(bodies, 1), static_cast<float>(100 / (sphere * 5 * std::sqrt(5.0))));
    EXPECT_EQ(density_of({{0, 0, 0, 1}, {1, 0, 0, 1}}, 0), 0) << "undefined for two bodies";
    EXPECT_EQ(density_of({{0, 0, 0, 1}}, 0), 0);
    EXPECT_EQ(density_of({{1, 1, 1, 1}, {1, 1, 1, 1}, {1, 1, 1, 1}}, 2), 3e38f) << "coincident bodies";
}

/// Reference: sorts the candidates along the curve by distance: 65 including the body itself, as far as possible the
/// same number on either side.
TEST(Density, UsesTheNearestCandidatesAlongTheCurve) {
    std::mt19937_64 random{1};
    std::uniform_real_distribution<double> uniform{-1, 1};
    for (const std::size_t count : {3, 16, 17, 18, 64, 65, 66, 67, 97, 130}) {
        std::vector<Vec4d> bodies(count);
        for (int repeat = 0; repeat < 4; ++repeat) {
            for (Vec4d& body : bodies) body = {uniform(random), uniform(random), uniform(random), 2 + uniform(random)};
            for (std::size_t at = 0; at < count; ++at) {
                const std::size_t first = count <= 65 || at < 32 ? 0 : std::min(at - 32, count - 65);
                std::vector<std::pair<double, double>> near;  // squared distance, mass
                for (std::size_t j = first; j < std::min(first + 65, count); ++j) {
                    const Vec3d d = xyz(bodies[j]) - xyz(bodies[at]);
                    if (j != at) near.emplace_back(dot(d, d), bodies[j].w);
                }
                std::ranges::sort(near);
                const std::size_t k = std::min<std::size_t>(16, near.size());
                double mass = 0;
                for (std::size_t i = 0; i + 1 < k; ++i) mass += near[i].second;
                const double found = count > 65 ? 0.5 : 1, r2 = near[k - 1].first;
                const double expected = mass / (found * 4 * std::numbers::pi / 3 * r2 * std::sqrt(r2));
                ASSERT_NEAR(density_of(bodies, at) / expected, 1, 1e-6) << count << ' ' << at;
            }
        }
    }
}

}  // namespace
}  // namespace orrery::test
