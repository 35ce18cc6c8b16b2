// SPDX-License-Identifier: MIT
#include "core/presets/spheres.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/presets/presets.hpp"

namespace orrery::test {
namespace {

class EveryAnalyticProfile : public testing::TestWithParam<std::string_view> {
protected:
    const AnalyticProfile& profile = *analytic_profile(GetParam());
};

// dM/dr = 4π r² ρ, by a central difference.
TEST_P(EveryAnalyticProfile, DensityIsDerivativeOfMass) {
    for (const double r : {0.02, 0.1, 0.5, 0.9, 3.0}) {
        const double h = 1e-3 * r, mass = profile.mass_within(r + h) - profile.mass_within(r - h);
        EXPECT_NEAR(mass / (2 * h), 4 * std::numbers::pi * r * r * profile.density(r), 1e-4 * mass / (2 * h)) << r;
    }
}

TEST_P(EveryAnalyticProfile, ContainsTheWholeMass) {
    EXPECT_NEAR(profile.mass_within(1e3), 1, 1e-9);
    EXPECT_LT(profile.mass_within(1e-4), 1e-5);
    EXPECT_NEAR(profile.mass_within(lagrangian_radius(profile, 0.5)), 0.5, 1e-9);
}

// The fraction of bodies within some radii, to five times the expected scatter.
TEST_P(EveryAnalyticProfile, MatchesThePreset) {
    const std::size_t count = 50000;
    const Scene scene = make_preset(GetParam(), {.bodies = count, .seed = 2});
    for (const double fraction : {0.1, 0.5, 0.9}) {
        const double radius = lagrangian_radius(profile, fraction);
        const auto inside = std::ranges::count_if(
            scene.bodies.position_mass, [&](const Vec4d& b) { return dot(xyz(b), xyz(b)) <= radius * radius; });
        const double scatter = std::sqrt(fraction * (1 - fraction) / static_cast<double>(count));
        EXPECT_NEAR(static_cast<double>(inside) / static_cast<double>(count), fraction, 5 * scatter);
    }
}

INSTANTIATE_TEST_SUITE_P(Presets, EveryAnalyticProfile,
                         testing::Values("plummer", "hernquist", "nfw-halo", "uniform-sphere"), [](const auto& tested) {
                             std::string name{tested.param};
                             std::ranges::replace(name, '-', '_');
                             return name;
                         });

TEST(AnalyticProfile, DoesNotExistForOtherScenes) {
    EXPECT_EQ(analytic_profile("collision"), nullptr);
    EXPECT_EQ(analytic_profile(""), nullptr);
}

}  // namespace
}  // namespace orrery::test
