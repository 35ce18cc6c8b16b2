// SPDX-License-Identifier: MIT
#include "app/render/exposure.hpp"

#include <gtest/gtest.h>

#include "app/render/body_light.hpp"

namespace orrery::test {
namespace {

TEST(BrightnessTest, WhiteGrowsWithBodiesPerPixel) {
    const FrameExtent extent{{0, 0, 0}, 1, 0, 1};
    OrbitCamera camera;
    camera.fit(extent, 16.0 / 9, Transition::kAtOnce);
    double before = 0;
    for (const std::size_t bodies : {1u, 1000u, 100000u, 10000000u}) {
        const Brightness b = brightness(bodies, extent, camera, 720, DrawMode::kSplat, {});
        EXPECT_GT(b.white, before);
        before = b.white;
    }
    const double near = brightness(100000, extent, camera, 720, DrawMode::kSplat, {}).white;
    camera.dolly(-10);
    camera.advance(10);
    EXPECT_GT(brightness(100000, extent, camera, 720, DrawMode::kSplat, {}).white, near)
        << "bodies overlap when seen from afar";
}

TEST(BrightnessTest, IsFiniteForAnyExtentAndCamera) {
    for (const double radius : {0.0, 1e-9, 1.0, 1e12}) {
        for (const double distance : {1e-6, 1.0, 1e9}) {
            const OrbitCamera camera{{{0, 0, 0}, distance}};
            const Brightness b = brightness(5, {{0, 0, 0}, radius, 0, 0}, camera, 720, DrawMode::kPoints, {});
            EXPECT_TRUE(b.white >= 2 && b.white < 1e6 && b.light > 0 && b.point_diameter >= 3)
                << radius << ' ' << distance;
        }
    }
}

TEST(BrightnessTest, FewerBodiesGetLargerSprites) {
    const OrbitCamera camera;
    double before = 1e9;
    for (const std::size_t bodies : {3u, 100u, 1000u, 5000u}) {
        const double diameter = brightness(bodies, {}, camera, 720, DrawMode::kPoints, {}).point_diameter;
        EXPECT_LT(diameter, before);
        before = diameter;
    }
}

TEST(FixedPoint, HoldsAllBodiesInOnePixelWithoutOverflow) {
    for (const std::size_t bodies : {1ul, 3ul, 22000ul, 1000000ul, 16777216ul, 1000000000ul}) {
        for (const double light : {0.01, 1.0, 9.0, 2500.0}) {
            const double scale = SplatPass::fixed_scale(bodies, light);
            const double worst = static_cast<double>(bodies) * (light * scale + 0.5);
            EXPECT_LE(worst, 4294967295.0) << bodies << " bodies, light " << light;
            EXPECT_GE(light * scale, 1) << bodies << " bodies, light " << light;
        }
    }
}

}  // namespace
}  // namespace orrery::test
