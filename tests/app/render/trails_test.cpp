// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "tests/app/render/cloud.hpp"

namespace orrery::test {
namespace {

constexpr int kTrailsWidth = 640, kTrailsHeight = 360;

/// One body that moves one unit along x per step.
Frame walker(std::int64_t step) {
    Frame frame;
    frame.host = {{static_cast<float>(step) - 5, 0, 0, 0.5f}};
    frame.count = 1;
    frame.step = step;
    frame.extent = {{0, 0, 0}, 6, 0, 1};
    return frame;
}

OrbitCamera from_above() {
    CameraPose pose;
    pose.distance = 20;
    pose.yaw = -1.5707963, pose.pitch = 1.4;
    return OrbitCamera{pose};
}

ViewSettings with_trails(DrawMode mode) {
    ViewSettings settings;
    settings.mode = mode;
    settings.glow = 0;
    settings.trails = {.on = true, .points = 32, .every = 1, .opacity = 1};
    return settings;
}

/// The brightest component near the projection of a point.
int light_near(const Image& image, glm::dvec3 point) {
    const OrbitCamera camera = from_above();
    const glm::dvec4 clip =
        camera.projection(static_cast<double>(kTrailsWidth) / kTrailsHeight) * camera.view() * glm::dvec4{point, 1};
    const int x = static_cast<int>((clip.x / clip.w * 0.5 + 0.5) * kTrailsWidth),
              y = static_cast<int>((0.5 - clip.y / clip.w * 0.5) * kTrailsHeight);
    int most = 0;
    for (int dy = -2; dy <= 2; ++dy)
        for (int c = 0; c < 3; ++c) most = std::max<int>(most, image.row(y + dy)[4 * x + c]);
    return most;
}

Image walk(Studio& studio, const ViewSettings& settings, std::int64_t first, std::int64_t last) {
    Image image;
    for (std::int64_t step = first; step <= last; ++step)
        image = studio.draw(walker(step), from_above(), settings, kTrailsWidth, kTrailsHeight);
    return image;
}

/// A body on a circle of radius 4, shown once per quarter turn, with or without the states in between.
Image quarters(Studio& studio, const ViewSettings& settings, bool with_passed) {
    constexpr int kSteps = 16;  // per quarter turn
    const auto place = [](int step) {
        const double angle = step * 3.14159265358979 / 2 / kSteps;
        return Vec4f{static_cast<float>(4 * std::cos(angle)), static_cast<float>(4 * std::sin(angle)), 0, 0.5f};
    };
    Image image;
    for (int step = 0; step <= 2 * kSteps; step += kSteps) {
        Frame frame = walker(step);
        frame.host = {place(step)};
        for (int passed = step - kSteps + 1; with_passed && step > 0 && passed <= step; ++passed) {
            frame.passed.push_back(place(passed));
            frame.passed_steps.push_back(passed);
        }
        image = studio.draw(frame, from_above(), settings, kTrailsWidth, kTrailsHeight);
    }
    return image;
}

class EveryTrailMode : public testing::TestWithParam<DrawMode> {};

TEST_P(EveryTrailMode, FollowTheBodysPastAndFade) {
    Studio studio;
    const Image image = walk(studio, with_trails(GetParam()), 0, 10);
    const int near = light_near(image, {3.5, 0, 0}), far = light_near(image, {-4.5, 0, 0});
    EXPECT_GT(near, 60);
    EXPECT_GT(far, 15);
    EXPECT_LT(far, near);
    EXPECT_EQ(light_near(image, {0, 2, 0}), 0) << "beside the trail";
    EXPECT_EQ(light_near(image, {6.5, 0, 0}), 0) << "ahead of the body";
}

TEST_P(EveryTrailMode, FollowStepsBetweenFrames) {
    ViewSettings settings = with_trails(GetParam());
    settings.trails.points = 64;
    Studio chords, curves;
    const Image before = quarters(chords, settings, false), image = quarters(curves, settings, true);
    const double half = 4 / std::sqrt(2.0);
    const glm::dvec3 arc{half, half, 0}, chord{2, 2, 0};
    EXPECT_GT(light_near(before, chord), 15) << "through the shown positions only";
    EXPECT_EQ(light_near(before, arc), 0);
    EXPECT_EQ(light_near(image, chord), 0);
    EXPECT_GT(light_near(image, arc), 15);
}

/// The body's light is separated from that of its trail.
TEST_P(EveryTrailMode, LeaveAGapBeforeTheBody) {
    Studio studio;
    ViewSettings settings = with_trails(GetParam());
    settings.size = 0.3f;
    const Image image = walk(studio, settings, 0, 10);
    int least = 255;
    for (double x = 4.95; x > 4.2; x -= 0.05) least = std::min(least, light_near(image, {x, 0, 0}));
    EXPECT_LT(least, light_near(image, {5, 0, 0})) << "no gap";
    EXPECT_LT(least, light_near(image, {4, 0, 0})) << "no gap";
}

TEST_P(EveryTrailMode, AreReproducibleAndLeaveNoTrace) {
    Studio one, other;
    const ViewSettings settings = with_trails(GetParam());
    const Image image = walk(one, settings, 0, 10);
    EXPECT_EQ(walk(other, settings, 0, 10).rgba, image.rgba);
    EXPECT_EQ(one.draw(walker(10), from_above(), settings, kTrailsWidth, kTrailsHeight).rgba, image.rgba)
        << "drawn again";
    ViewSettings off = settings;
    off.trails.on = false;
    Studio fresh;
    EXPECT_EQ(one.draw(walker(10), from_above(), off, kTrailsWidth, kTrailsHeight).rgba,
              fresh.draw(walker(10), from_above(), off, kTrailsWidth, kTrailsHeight).rgba);
}

TEST_P(EveryTrailMode, AreTruncatedWhenTimeGoesBack) {
    Studio studio, fresh;
    const ViewSettings settings = with_trails(GetParam());
    walk(studio, settings, 0, 10);
    const Image back = studio.draw(walker(4), from_above(), settings, kTrailsWidth, kTrailsHeight);
    EXPECT_EQ(back.rgba, walk(fresh, settings, 0, 4).rgba);
}

INSTANTIATE_TEST_SUITE_P(Modes, EveryTrailMode, testing::Values(DrawMode::kPoints, DrawMode::kSplat),
                         [](const auto& line) { return line.param == DrawMode::kPoints ? "points" : "splat"; });

TEST(Trails, KeepTheGivenNumberOfPoints) {
    Studio studio;
    ViewSettings settings = with_trails(DrawMode::kPoints);
    settings.trails.points = 4;
    const Image image = walk(studio, settings, 0, 10);
    EXPECT_GT(light_near(image, {3.5, 0, 0}), 0);
    EXPECT_EQ(light_near(image, {-2, 0, 0}), 0);
}

TEST(Trails, StayWithinTheirBudgetForManyBodies) {
    Studio studio;
    ViewSettings settings = with_trails(DrawMode::kSplat);
    settings.trails.points = TrailView::kMostPoints;
    Frame frame = cloud(30000);
    OrbitCamera camera;
    camera.fit(frame.extent, 640.0 / 360, Transition::kAtOnce);
    const Image before = studio.draw(frame, camera, settings);
    frame.step = 1;
    for (Vec4f& body : frame.host) body.x += 0.05f;
    EXPECT_NE(studio.draw(frame, camera, settings).rgba, before.rgba);
    EXPECT_EQ(glGetError(), GLenum{GL_NO_ERROR});
    frame.host.resize(10), frame.count = 10;  // another scene
    studio.draw(frame, camera, settings);
    EXPECT_EQ(glGetError(), GLenum{GL_NO_ERROR});
}

TEST(MassSize, DistributesTheSameLightByMass) {
    for (const DrawMode mode : {DrawMode::kPoints, DrawMode::kSplat}) {
        Studio studio;
        Frame frame;
        frame.count = 2;
        frame.host = {{-1, 0, 0, 0}, {1, 0, 0, 0}};
        frame.extent = {{0, 0, 0}, 1.5, 0, 1};
        frame.masses = std::make_shared<const std::vector<float>>(std::vector<float>{0.4f, 1.6f});
        ViewSettings settings = linear_view(mode);
        settings.exposure = -2;
        CameraPose pose;
        pose.distance = 6, pose.yaw = -1.5707963, pose.pitch = 1.4;
        const auto halves = [&](const ViewSettings& view) {
            const Image image = studio.draw(frame, OrbitCamera{pose}, view, kTrailsWidth, kTrailsHeight);
            double left = 0, right = 0;
            for (int y = 0; y < kTrailsHeight; ++y)
                for (int x = 0; x < kTrailsWidth; ++x) (x < kTrailsWidth / 2 ? left : right) += light_of(image, x, y);
            return std::pair{left, right};
        };
        const auto [a, b] = halves(settings);
        EXPECT_NEAR(a / b, 1, 0.05);
        settings.mass_size = 0.5f;
        const auto [light, heavy] = halves(settings);
        EXPECT_NEAR(heavy / light, 2, 0.15) << "√4";
        EXPECT_NEAR((light + heavy) / (a + b), 1, 0.06);
    }
}

}  // namespace
}  // namespace orrery::test
