// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "tests/app/render/cloud.hpp"

namespace orrery::test {
namespace {

OrbitCamera facing(const Frame& frame) {
    OrbitCamera camera;
    camera.fit(frame.extent, 640.0 / 360, Transition::kAtOnce);
    return camera;
}

/// Mean brightness of blocks of 16 × 16 pixels, sorted: a histogram without the grain of single bodies.
std::vector<double> histogram(const Image& image) {
    constexpr int kSide = 16;
    std::vector<double> all;
    for (int top = 0; top + kSide <= image.height; top += kSide)
        for (int left = 0; left + kSide <= image.width; left += kSide) {
            double sum = 0;
            for (int y = 0; y < kSide; ++y)
                for (int x = 0; x < kSide; ++x) sum += light_of(image, left + x, top + y);
            all.push_back(sum / (kSide * kSide));
        }
    std::ranges::sort(all);
    return all;
}

/// Mean difference of brightness between blocks of equal rank (earth mover's distance), 0 to 1.
double apart(const std::vector<double>& a, const std::vector<double>& b) {
    return std::transform_reduce(a.begin(), a.end(), b.begin(), 0.0, std::plus{},
                                 [](double x, double y) { return std::abs(x - y); }) /
           static_cast<double>(a.size());
}

std::vector<double> seen(Studio& studio, std::size_t bodies, const ViewSettings& settings) {
    const Frame frame = cloud(bodies);
    return histogram(studio.draw(frame, facing(frame), settings));
}

/// A scene must look the same with ten thousand bodies and with a million.
TEST(PictureExposure, IsIndependentOfTheNumberOfBodies) {
    Studio studio;
    ViewSettings settings;
    settings.mode = DrawMode::kSplat;
    const auto of_picture = [&](std::size_t bodies) { return seen(studio, bodies, settings); };
    const auto few = of_picture(10000), more = of_picture(100000), many = of_picture(1000000);
    settings.exposure_by = ExposureBy::kBodies;
    const auto few_by_number = of_picture(10000), many_by_number = of_picture(1000000);
    EXPECT_LT(apart(more, many), 0.02);
    EXPECT_LT(apart(few, many), 0.06);
    EXPECT_LT(apart(few, many), 0.5 * apart(few_by_number, many_by_number));
}

/// With so few bodies the glow hardly overlaps: it must stay a faint halo of each and not reach half of white.
TEST(PictureExposure, GlowOfFewBodiesStaysFaint) {
    Studio studio;
    ViewSettings settings;
    settings.mode = DrawMode::kSplat;
    const auto few = seen(studio, 300, settings);
    EXPECT_LT(few[few.size() / 2], 0.1) << "the median block";
    for (int i = 0; i < 10; ++i) (void)seen(studio, 300, settings);  // the measurement arrives a few frames later
    EXPECT_LE(studio.renderer.exposed().stretch, 20.01f);
    EXPECT_GT(studio.renderer.exposed().stretch, 19.9f) << "the test does not cover the limit";
}

TEST(PictureExposure, NeitherSaturatesTheCentreNorDarkensTheEdges) {
    Studio studio;
    ViewSettings settings;
    settings.mode = DrawMode::kSplat;
    for (const std::size_t bodies : {20000u, 1000000u}) {
        const auto places = seen(studio, bodies, settings);
        EXPECT_GT(places.back(), 0.45) << bodies;
        EXPECT_LT(places[places.size() * 97 / 100], 0.95) << bodies;
        EXPECT_GT(places[places.size() * 60 / 100], 0.02) << bodies;
    }
}

TEST(PictureExposure, IsIndependentOfTheFrameSize) {
    Studio studio;
    ViewSettings settings;
    settings.mode = DrawMode::kSplat;
    const Frame frame = cloud(300000);
    const auto mean = [&](int width, int height) {
        const Image image = studio.draw(frame, facing(frame), settings, width, height);
        double sum = 0;
        for (int y = 0; y < height; ++y)
            for (int x = 0; x < width; ++x) sum += light_of(image, x, y);
        return sum / (width * height);
    };
    EXPECT_NEAR(mean(1280, 720) / mean(1920, 1080), 1, 0.06);
}

/// Fixing white and stretch at their measured values leaves the frame unchanged.
TEST(PictureExposure, CanBeFixed) {
    Studio studio;
    ViewSettings settings;
    settings.mode = DrawMode::kSplat;
    settings.glow = 0;
    const Frame frame = cloud(50000);
    const Image measured = studio.draw(frame, facing(frame), settings);
    glFinish();
    const Exposed exposed = studio.renderer.exposed();
    EXPECT_GT(exposed.white, 1);
    settings.white = exposed.white, settings.stretch = exposed.stretch;
    const Image held = studio.draw(frame, facing(frame), settings);
    int most = 0;
    for (std::size_t i = 0; i < held.rgba.size(); ++i) most = std::max(most, std::abs(held.rgba[i] - measured.rgba[i]));
    EXPECT_LE(most, 1);
}

TEST(PictureExposure, SideBySideFramesShareTheExposure) {
    Studio a;
    ViewSettings settings;
    settings.mode = DrawMode::kSplat;
    Renderer second{a.context.gl_info()};
    const Frame few = cloud(20000), many = cloud(200000);
    a.draw(few, facing(few), settings);
    glFinish();
    const Exposed first = a.renderer.exposed();
    const RenderTarget target{640, 360};
    second.resize(640, 360);
    second.expose_like(&a.renderer);
    SharedBuffer buffer;
    buffer.upload(many);
    second.draw(buffer, many.extent, facing(many), settings, target);
    glFinish();
    EXPECT_EQ(second.exposed().white, first.white);
    EXPECT_EQ(second.exposed().stretch, first.stretch);
}

}  // namespace
}  // namespace orrery::test
