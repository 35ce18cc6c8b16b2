// SPDX-License-Identifier: MIT
#include "core/analysis/analyses.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "core/presets/presets.hpp"

namespace orrery::test {
namespace {

TEST(Groups, HaveMassCentreAndVelocityOfTheirBodies) {
    // Three bodies, and two across the face of the box.
    const std::vector<Vec4d> bodies{{5, 5, 5, 1}, {9.9, 1, 1, 3}, {5, 7, 5, 1}, {0.3, 1, 1, 1}, {5, 6, 5, 2}};
    const std::vector<Vec3d> velocities{{1, 0, 0}, {0, 4, 0}, {1, 0, 0}, {0, 0, 4}, {-1, 0, 0}};
    const std::vector<std::uint32_t> group_of{0, 1, 0, 1, 0};
    const auto groups = list_groups(bodies, velocities, group_of, 2, 10);
    ASSERT_EQ(groups.size(), 2u);  // bodies 0, 2, 4 and, across the face, 1, 3; equal masses are ordered by index
    const BodyGroup &three = groups[0], &two = groups[1];
    EXPECT_EQ(three.first, 0u);
    EXPECT_EQ(three.bodies, 3u);
    EXPECT_EQ(three.mass, 4);
    EXPECT_EQ(three.centre, (Vec3d{5, 6, 5}));
    EXPECT_EQ(three.velocity, (Vec3d{0, 0, 0}));
    EXPECT_DOUBLE_EQ(three.radius, std::sqrt(0.5));
    EXPECT_EQ(three.farthest, 1);
    EXPECT_DOUBLE_EQ(three.dispersion, std::sqrt(1.0 / 3));
    EXPECT_NEAR(two.centre.x, 10, 1e-12) << "the bodies are 0.4 apart, three quarters of the mass at 9.9";
    EXPECT_EQ(two.velocity, (Vec3d{0, 3, 1}));
    EXPECT_NEAR(two.farthest, 0.3, 1e-12);
    EXPECT_EQ(list_groups(bodies, velocities, group_of, 3, 10).size(), 1u);
}

TEST(Groups, SeparateCollidingGalaxies) {
    const Scene scene = make_preset("collision", {.bodies = 20000, .seed = 1});
    Pool pool{0, false};
    const AnalysisResult found = analyse(pool, scene, {.kind = "groups", .link_length = 0.03, .least = 1000});
    ASSERT_EQ(found.groups.size(), 2u);
    EXPECT_GT(found.groups[0].mass, 0.2);
    EXPECT_GT(found.groups[1].mass, 0.2);
    EXPECT_GT(length(found.groups[0].centre - found.groups[1].centre), 0.9);
    ASSERT_EQ(found.group_of.size(), 20000u);
    EXPECT_EQ(static_cast<std::size_t>(std::ranges::count(found.group_of, found.groups[0].first)),
              found.groups[0].bodies);
}

TEST(Groups, UseSceneIndicesForASelection) {
    Scene scene;
    for (int i = 0; i < 6; ++i) scene.bodies.add({0.1 * i, 0, 0}, {}, 1);
    Pool pool{0, false};
    const AnalysisResult found = analyse(pool, scene, {.kind = "groups", .of = "2-5", .link_length = 0.11, .least = 2});
    ASSERT_EQ(found.groups.size(), 1u);
    EXPECT_EQ(found.groups[0].first, 2u);
    EXPECT_EQ(found.groups[0].bodies, 4u);
}

}  // namespace
}  // namespace orrery::test
