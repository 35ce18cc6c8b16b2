// SPDX-License-Identifier: MIT
#include "app/render/scene_lines.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "app/render/exposure.hpp"
#include "app/render/preset_views.hpp"
#include "core/presets/presets.hpp"
#include "tests/app/render/cloud.hpp"

namespace orrery::test {
namespace {

TEST(RoundLength, IsOneTwoOrFiveTimesAPowerOfTen) {
    for (double length = 1e-9; length < 1e9; length *= 1.07) {
        const double round = round_length(length);
        EXPECT_LE(round, length * (1 + 1e-9));
        EXPECT_GT(round, length / 2.6);
        const double digit = round / std::pow(10.0, std::floor(std::log10(round) + 1e-9));
        EXPECT_TRUE(std::abs(digit - 1) < 1e-6 || std::abs(digit - 2) < 1e-6 || std::abs(digit - 5) < 1e-6) << round;
    }
    EXPECT_EQ(round_length(0), 0);
    EXPECT_EQ(round_length(-1), 0);
    EXPECT_EQ(round_length(std::nan("")), 0);
}

TEST(ScaleBarTest, HasTheStatedLength) {
    for (const double distance : {1e-3, 1.0, 37.0, 1e7}) {
        CameraPose pose;
        pose.distance = distance;
        const OrbitCamera camera{pose};
        const ScaleBar bar = scale_bar(camera, 720, 180);
        EXPECT_LE(bar.pixels, 180.001);
        EXPECT_GE(bar.pixels, 70);
        EXPECT_NEAR(bar.pixels, bar.length * camera.pixels_per_length(distance, 720), 1e-6);
    }
}

TEST(Guides, AreDrawnOnRequestAndLeaveNoTrace) {
    Studio studio;
    CameraPose pose;
    pose.distance = 10, pose.pitch = 0.6;
    const OrbitCamera camera{pose};
    const Frame empty = cloud(0);
    ViewSettings settings;
    EXPECT_EQ(lit(studio.draw(empty, camera, settings)), 0) << "neither guides nor background stars by default";
    settings.guides.grid = true;
    const int grid = lit(studio.draw(empty, camera, settings));
    EXPECT_GT(grid, 2000);
    EXPECT_LT(grid, 640 * 360 / 2) << "lines, not a surface";
    settings.guides.axes = true;
    EXPECT_GT(lit(studio.draw(empty, camera, settings)), grid);
    EXPECT_EQ(lit(studio.draw(empty, camera, {})), 0);
}

TEST(Guides, AreDrawnAtAnyScale) {
    Studio studio;
    ViewSettings settings;
    settings.guides = {.grid = true, .axes = true};
    for (const double distance : {1e-12, 1.0, 1e15}) {
        CameraPose pose;
        pose.distance = distance, pose.pitch = 0.8;
        Frame frame = cloud(0);
        frame.extent = {{0, 0, 0}, distance / 3, 0, 1};
        EXPECT_GT(lit(studio.draw(frame, OrbitCamera{pose}, settings)), 2000) << distance;
        EXPECT_EQ(glGetError(), GLenum{GL_NO_ERROR});
    }
}

/// Light of a whole frame with brightness proportional to light.
double total_light(Studio& studio, const Frame& frame, const OrbitCamera& camera, const ViewSettings& settings) {
    const Image image = studio.draw(frame, camera, settings);
    double sum = 0;
    for (int y = 0; y < image.height; ++y)
        for (int x = 0; x < image.width; ++x) sum += light_of(image, x, y);
    return sum;
}

TEST(TotalLight, IsConservedWhenTheCameraRecedes) {
    for (const DrawMode mode : {DrawMode::kPoints, DrawMode::kSplat}) {
        Studio studio;
        const Frame frame = cloud(1500);
        ViewSettings settings = linear_view(mode);
        OrbitCamera fitted;
        fitted.fit(frame.extent, 640.0 / 360, Transition::kAtOnce);
        // White matches the crowded view from afar, so that no pixel saturates.
        CameraPose pose = fitted.pose();
        pose.distance *= 8;
        settings.white = 4 * brightness(frame.count, frame.extent, OrbitCamera{pose}, 360, mode, settings).white;
        settings.exposure = 0;
        double before = 0;
        for (const double times : {1.5, 3.0, 8.0}) {
            pose.distance = times * fitted.pose().distance;
            const double light = total_light(studio, frame, OrbitCamera{pose}, settings);
            if (before > 0) {
                EXPECT_NEAR(light / before, 1, 0.1) << "at " << times << " times the distance";
            }
            before = light;
        }
    }
}

TEST(White, FixedValueIsIndependentOfTheView) {
    const FrameExtent extent{{0, 0, 0}, 1, 0, 1};
    ViewSettings settings;
    settings.white = 17;
    for (const double distance : {0.1, 1.0, 100.0}) {
        const OrbitCamera camera{CameraPose{.target = {0, 0, 0}, .distance = distance}};
        EXPECT_EQ(brightness(100000, extent, camera, 720, DrawMode::kSplat, settings).white, 17);
    }
}

TEST(PictureScale, FollowsFrameSizeAndPixelDensity) {
    EXPECT_EQ(picture_scale(360, 1), 1);
    EXPECT_EQ(picture_scale(2160, 1), 3);
    EXPECT_EQ(picture_scale(720, 2), 2) << "a small window on a high-density display";
    const double thin = brightness(100, {}, {}, 720, DrawMode::kPoints, {}, 1).point_diameter;
    EXPECT_NEAR(brightness(100, {}, {}, 720, DrawMode::kPoints, {}, 2).point_diameter, 2 * thin, 1e-9);
}

TEST(ExtentFollowerTest, IsSmoothExceptForAnotherSceneOrQuantity) {
    ExtentFollower follower;
    FrameExtent extent{{0, 0, 0}, 1, 0, 1};
    EXPECT_EQ(follower.follow(extent, 1).radius, 1);
    extent.radius = 2;
    const double soon = follower.follow(extent, 0.1).radius;
    EXPECT_GT(soon, 1.05);
    EXPECT_LT(soon, 1.5);
    EXPECT_NEAR(follower.follow(extent, 10).radius, 2, 1e-6);
    extent.color_by = ColorBy::kMass, extent.scalar_high = 700;
    EXPECT_EQ(follower.follow(extent, 0.01).scalar_high, 700) << "another quantity applies at once";
    extent.radius = 1000;
    EXPECT_EQ(follower.follow(extent, 0.01).radius, 1000) << "another scene applies at once";
}

TEST(PresetViews, EveryPresetCanBeDrawn) {
    Studio studio;
    for (const PresetEntry& preset : presets()) {
        const PresetView look = preset_view(preset.id);
        EXPECT_GT(look.zoom, 0) << preset.id;
        const Frame frame = cloud(preset.default_bodies);
        OrbitCamera camera;
        camera.fit(frame.extent, 640.0 / 360, Transition::kAtOnce);
        EXPECT_GT(lit(studio.draw(frame, camera, look.view)), 20) << preset.id;
    }
    EXPECT_EQ(preset_view("a file.csv"), PresetView{});
}

}  // namespace
}  // namespace orrery::test
