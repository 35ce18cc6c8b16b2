// SPDX-License-Identifier: MIT
// Bodies on a grid of voxels.
#include "core/analysis/voxels.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <random>

#include "core/base/error.hpp"

namespace orrery {
namespace {

Bodies spread_bodies(std::size_t count) {
    std::mt19937 random{5};
    std::normal_distribution<double> place{0, 1};
    Bodies bodies;
    std::vector<float> values;
    for (std::size_t i = 0; i < count; ++i) {
        bodies.add({place(random) - 0.5, place(random), place(random)}, {place(random), 1, 0}, std::exp(place(random)));
        values.push_back(i % 10 == 0 ? NAN : static_cast<float>(place(random)));
    }
    bodies.fields = {make_field("T", "K", values)};
    return bodies;
}

struct Sums {
    double mass = 0, field = 0;
    Vec3d momentum{};
    std::size_t voxels = 0, bricks = 0;
};
Sums sums_of(const Bodies& bodies, double voxel) {
    Pool pool{2, false};
    Sums sums;
    for_each_brick(pool, bodies, voxel, [&](const VoxelBrick& brick) {
        ++sums.bricks;
        for (const int first : brick.first) EXPECT_EQ(first % VoxelBrick::kSide, 0);
        for (std::size_t i = 0; i < VoxelBrick::kVoxels; ++i) {
            const double mass = static_cast<double>(brick.density[i]) * voxel * voxel * voxel;
            const Vec3f& v = brick.velocity[i];
            sums.mass += mass;
            sums.momentum = sums.momentum + mass * Vec3d{v.x, v.y, v.z};
            sums.voxels += mass > 0;
            EXPECT_TRUE(mass > 0 || std::isnan(brick.fields.at(0)[i]));
        }
    });
    return sums;
}

/// From voxels wider than the cluster to voxels so small that the widest kernels reach their limit of 32.
TEST(Voxels, HoldTheMassAndTheMomentum) {
    const Bodies bodies = spread_bodies(60);
    double mass = 0;
    Vec3d momentum{};
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        mass += bodies.position_mass[i].w;
        momentum = momentum + bodies.position_mass[i].w * bodies.velocity[i];
    }
    for (const double voxel : {50.0, 0.5, 0.1}) {
        const Sums sums = sums_of(bodies, voxel);
        EXPECT_NEAR(sums.mass / mass, 1, 1e-7) << voxel;
        EXPECT_LT(length(sums.momentum - momentum), 1e-6 * mass) << voxel;
        EXPECT_GT(sums.bricks, voxel < 1 ? 7u : 0u) << "the origin is a corner of eight bricks";
    }
}

/// A body with a wide kernel: each voxel has the kernel at its middle, up to the norm of the discrete sum.
TEST(Voxels, SampleTheKernelOfProjections) {
    Bodies bodies;
    bodies.add({0.13, -0.2, 0.05}, {1, 2, 3}, 4);
    bodies.fields = {make_field("SmoothingLength", "", {1.0f}), make_field("T", "", {7.0f})};
    constexpr double kVoxel = 1.0 / 16;
    Pool pool{1, false};
    double largest = 0;
    for_each_brick(pool, bodies, kVoxel, [&](const VoxelBrick& brick) {
        std::size_t at = 0;
        for (int z = 0; z < VoxelBrick::kSide; ++z)
            for (int y = 0; y < VoxelBrick::kSide; ++y)
                for (int x = 0; x < VoxelBrick::kSide; ++x, ++at) {
                    const Vec3d here{(brick.first[0] + x) * kVoxel, (brick.first[1] + y) * kVoxel,
                                     (brick.first[2] + z) * kVoxel};
                    const double expected = 4 * sph_kernel(length(here - Vec3d{0.13, -0.2, 0.05}));
                    largest = std::max(largest, std::abs(static_cast<double>(brick.density[at]) - expected));
                    if (brick.density[at] > 0) {
                        EXPECT_EQ(brick.velocity[at], (Vec3f{1, 2, 3}));
                        EXPECT_EQ(brick.fields.at(1)[at], 7);
                    }
                }
    });
    EXPECT_LT(largest, 1e-3 * 4 * sph_kernel(0));
}

TEST(Voxels, MeanOfAFieldIsByMassOverTheBodiesWithAValue) {
    Bodies bodies;
    for (const double mass : {1.0, 3.0, 5.0}) bodies.add({0.5, 0.5, 0.5}, {mass, 0, 0}, mass);
    bodies.fields = {make_field("T", "", {2, 6, NAN})};
    Pool pool{1, false};
    std::size_t voxels = 0;
    for_each_brick(pool, bodies, 0.5, [&](const VoxelBrick& brick) {
        for (std::size_t i = 0; i < VoxelBrick::kVoxels; ++i) {
            if (!(brick.density[i] > 0)) continue;
            ++voxels;
            EXPECT_FLOAT_EQ(brick.fields.at(0)[i], (1 * 2 + 3 * 6) / 4.0f);
            EXPECT_FLOAT_EQ(brick.velocity[i].x, (1 + 9 + 25) / 9.0f);
        }
    });
    EXPECT_GT(voxels, 0u);
}

TEST(Voxels, HaveARoundSide) {
    Bodies bodies = spread_bodies(2000);
    const double voxel = suggested_voxel(bodies);  // R90 of the Gaussian is 2.5
    EXPECT_EQ(voxel, 0.05);
    for (Vec4d& p : bodies.position_mass) p.x *= 1e6, p.y *= 1e6, p.z *= 1e6;
    EXPECT_NEAR(suggested_voxel(bodies) / 5e4, 1, 1e-12);
    EXPECT_THROW(sums_of(bodies, 1e-6), Error) << "indices beyond 32 bits";
}

}  // namespace
}  // namespace orrery
