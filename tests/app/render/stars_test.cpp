// SPDX-License-Identifier: MIT
// The background of stars.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "app/record/picture_maker.hpp"
#include "app/render/stars_pass.hpp"
#include "tests/app/render/cloud.hpp"
#include "tests/support/runs_long.hpp"

namespace orrery::test {
namespace {

TEST(Sky, IsUniformWithEuclideanCounts) {
    for (const std::uint64_t seed : {0ull, 1ull, 77ull}) {
        const auto stars = sky(seed);
        ASSERT_EQ(stars.size(), kSkyStars);
        Vec3d sum{};
        for (const Star& star : stars) {
            const Vec3f& d = star.direction;
            EXPECT_NEAR(d.x * d.x + d.y * d.y + d.z * d.z, 1, 1e-6);
            EXPECT_GE(star.light, kFaintest * 0.999f);
            EXPECT_LE(star.light, 1.001f);
            EXPECT_EQ(std::max({star.color.x, star.color.y, star.color.z}), 1);
            sum.x += d.x, sum.y += d.y, sum.z += d.z;
        }
        const double count = kSkyStars;
        for (const double part : {sum.x, sum.y, sum.z}) EXPECT_LT(std::abs(part), 5 * std::sqrt(count / 3));
        // N(m) ~ 10^(0.6 m), so N(light > L) ~ L^(-3/2), minus the stars brighter than the brightest one allowed.
        const double nearest = std::pow(kFaintest, 1.5);
        for (const double least : {0.05, 0.08, 0.15, 0.3, 0.6}) {
            const double expected = count * (std::pow(kFaintest / least, 1.5) - nearest) / (1 - nearest);
            const auto found = std::ranges::count_if(stars, [&](const Star& star) { return star.light > least; });
            EXPECT_NEAR(static_cast<double>(found), expected, 5 * std::sqrt(expected)) << least;
        }
    }
}

TEST(Sky, DependsOnlyOnTheSeed) {
    const auto same = [](const Star& a, const Star& b) {
        return a.direction == b.direction && a.light == b.light && a.color == b.color;
    };
    EXPECT_TRUE(std::ranges::equal(sky(5), sky(5), same));
    EXPECT_FALSE(std::ranges::equal(sky(5), sky(6), same));
    const Star first = sky(1).front();  // as computed by IEEE 754 arithmetic
    EXPECT_EQ(first.direction, (Vec3f{-0x1.152592p-4f, -0x1.f81522p-1f, 0x1.4aedb8p-3f}));
    EXPECT_EQ(first.light, 0x1.b66e54p-5f);
}

OrbitCamera camera_at(double yaw, glm::dvec3 target = {}, double distance = 5) {
    return OrbitCamera{CameraPose{.target = target, .distance = distance, .yaw = yaw}};
}

/// Brightness proportional to light, high enough to be resolved in 8 bits.
ViewSettings only_stars(DrawMode mode = DrawMode::kSplat) {
    ViewSettings settings = linear_view(mode);
    settings.exposure = 0;
    settings.stars = {.on = true, .seed = 1, .light = 4};
    return settings;
}

/// Mean light of an image; 1 for an entirely white one.
double mean_light(const Image& image) {
    double sum = 0;
    for (int y = 0; y < image.height; ++y)
        for (int x = 0; x < image.width; ++x) sum += light_of(image, x, y);
    return sum / (static_cast<double>(image.width) * image.height);
}

int brightest(const Image& image) {
    int most = 0;
    for (std::size_t i = 0; i < image.rgba.size(); ++i)
        if (i % 4 != 3) most = std::max<int>(most, image.rgba[i]);
    return most;
}

class EveryStarMode : public testing::TestWithParam<DrawMode> {};

TEST_P(EveryStarMode, LeavesNoTraceWhenOff) {
    const Frame frame = cloud(3000);
    ViewSettings off, on;
    off.mode = on.mode = GetParam();
    on.stars.on = true;
    {
        Studio one;
        one.draw(frame, camera_at(0.3), on);
        const Exposed exposed = one.renderer.exposed();
        one.draw(frame, camera_at(0.3), off);
        EXPECT_EQ(one.renderer.exposed().white, exposed.white) << "stars change the exposure";
    }
    Studio studio, fresh;
    const Image with = studio.draw(frame, camera_at(0.3), on);
    const Image without = fresh.draw(frame, camera_at(0.3), off);
    EXPECT_NE(with.rgba, without.rgba);
    EXPECT_EQ(studio.draw(frame, camera_at(0.3), off).rgba, without.rgba);
    EXPECT_EQ(studio.draw(frame, camera_at(0.3), on).rgba, with.rgba) << "on again";
    EXPECT_EQ(fresh.draw(frame, camera_at(0.3), on).rgba, with.rgba) << "in another context";
    on.stars.seed = 2;
    EXPECT_NE(studio.draw(frame, camera_at(0.3), on).rgba, with.rgba) << "another seed";
}

TEST_P(EveryStarMode, IsFainterThanALoneBody) {
    Frame one;
    one.count = 1;
    one.host = {{0.013f, 0.021f, 0.017f, 0.5f}};
    one.extent = {{0, 0, 0}, 1, 0, 1};
    ViewSettings settings;
    settings.mode = GetParam();
    Studio studio;
    const int body = brightest(studio.draw(one, camera_at(0), settings, 1280, 720));
    settings.stars.on = true;
    for (int i = 0; i < 8; i += everyday(2, 1))
        EXPECT_LT(brightest(studio.draw(cloud(0), camera_at(i * 0.7853), settings, 1280, 720)), body) << i;
}

TEST_P(EveryStarMode, LightIsIndependentOfTheColourMap) {
    Studio studio;
    ViewSettings settings = only_stars(GetParam());
    const Image ordered = studio.draw(cloud(0), camera_at(1), settings);
    EXPECT_GT(brightest(ordered), 60);
    settings.color_map = "distinct";  // the light includes colours
    EXPECT_EQ(studio.draw(cloud(0), camera_at(1), settings).rgba, ordered.rgba);
}

TEST_P(EveryStarMode, GlowScattersStarlightLikeThatOfBodies) {
    for (const char* map : {"ember", "distinct"}) {
        Studio studio;
        ViewSettings settings = only_stars(GetParam());
        settings.color_map = map;
        settings.stretch = 0.01f;  // linear to 1 %; reduces rounding losses in dark pixels
        const Image sharp = studio.draw(cloud(0), camera_at(1), settings, 1280, 720);
        settings.glow = 1;      // scatter all light,
        settings.exposure = 8;  // so widely that 8 bits would not resolve it
        const Image scattered = studio.draw(cloud(0), camera_at(1), settings, 1280, 720);
        EXPECT_NEAR(mean_light(scattered) / 256 / mean_light(sharp), 1, 0.15) << map;
        const auto lit = [](const Image& image) {
            std::size_t pixels = 0;
            for (std::size_t i = 0; i < image.rgba.size(); i += 4) pixels += image.rgba[i] > 0;
            return pixels;
        };
        EXPECT_GT(lit(scattered), 5 * lit(sharp)) << map;
    }
}

INSTANTIATE_TEST_SUITE_P(Modes, EveryStarMode, testing::Values(DrawMode::kPoints, DrawMode::kSplat),
                         [](const auto& line) { return line.param == DrawMode::kPoints ? "points" : "splat"; });

TEST(Stars, RotateWithTheCameraAtInfiniteDistance) {
    Studio studio;
    const ViewSettings settings = only_stars();
    const Image here = studio.draw(cloud(0), camera_at(0.5), settings);
    EXPECT_EQ(studio.draw(cloud(0), camera_at(0.5, {1e6, -3, 12}), settings).rgba, here.rgba) << "another position";
    EXPECT_EQ(studio.draw(cloud(0), camera_at(0.5, {}, 3000), settings).rgba, here.rgba) << "another distance";
    EXPECT_NE(studio.draw(cloud(0), camera_at(0.51), settings).rgba, here.rgba) << "another direction";
}

TEST(Stars, ArePlacedByTheirDirections) {
    Studio studio;
    for (const double yaw : {0.0, 2.0, 4.0}) {
        const OrbitCamera camera = camera_at(yaw);
        const Image image = studio.draw(cloud(0), camera, only_stars(), 1280, 720);
        const glm::dmat4 matrix = camera.projection(1280.0 / 720) * camera.view();
        int seen = 0;
        for (const Star& star : sky(1)) {
            const glm::dvec4 clip = matrix * glm::dvec4{star.direction.x, star.direction.y, star.direction.z, 0};
            const double x = (clip.x / clip.w * 0.5 + 0.5) * 1280, y = (0.5 - clip.y / clip.w * 0.5) * 720;
            if (star.light < 0.2f || clip.w < 0 || x < 2 || y < 2 || x > 1278 || y > 718) continue;
            ++seen;
            EXPECT_GT(light_of(image, static_cast<int>(x), static_cast<int>(y)), 0.02) << yaw;
        }
        EXPECT_GT(seen, 20) << yaw;
        EXPECT_LT(mean_light(image), 0.002) << "only stars";
    }
}

TEST(Stars, HaveTheSameLightAtAnyResolution) {
    Studio studio;
    const double light = mean_light(studio.draw(cloud(0), camera_at(1), only_stars(), 1280, 720));
    for (const auto& [width, height] : {std::pair{640, 360}, {1920, 1080}, {2560, 1440}})
        EXPECT_NEAR(mean_light(studio.draw(cloud(0), camera_at(1), only_stars(), width, height)) / light, 1, 0.05)
            << width << " x " << height;
}

TEST(Stars, HaveTheSameLightWithSupersampling) {
    Studio studio;
    const Frame frame = cloud(0);
    studio.buffer.upload(frame);
    std::vector<double> lights;
    for (const int times : {1, 2, 3}) {
        PictureMaker maker{studio.context.gl_info(), {640, 360, times}, 60};
        maker.draw(studio.buffer, frame, camera_at(1).pose(), only_stars());
        lights.push_back(mean_light(*maker.take()));
    }
    EXPECT_NEAR(lights[1] / lights[0], 1, 0.05);
    EXPECT_NEAR(lights[2] / lights[0], 1, 0.05);
}

}  // namespace
}  // namespace orrery::test
