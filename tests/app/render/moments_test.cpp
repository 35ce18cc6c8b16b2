// SPDX-License-Identifier: MIT
// The spread of a quantity within a pixel, and slices of bodies, compared with direct sums in double precision.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "app/render/color_bar.hpp"
#include "core/bodies/body_metadata.hpp"
#include "tests/app/render/cloud.hpp"

namespace orrery::test {
namespace {

constexpr int kFewWide = 96, kFewHigh = 54;

struct Moments {
    double light = 0, first = 0, second = 0;
    double spread() const {
        const double mean = first / light;
        return std::sqrt(std::max(second / light - mean * mean, 0.0));
    }
};

OrbitCamera whole(const Frame& frame) {
    OrbitCamera camera;
    FrameExtent wide = frame.extent;
    wide.radius *= 2;
    camera.fit(wide, double{kFewWide} / kFewHigh, Transition::kAtOnce);
    return camera;
}

/// Spreads bodies as `splat` does: each over the four nearest pixels.
std::vector<Moments> plainly(const Frame& frame, const OrbitCamera& camera) {
    std::vector<Moments> all(kFewWide * kFewHigh);
    for (const Vec4f& body : frame.host) {
        const auto at = camera.project({body.x, body.y, body.z}, kFewWide, kFewHigh);
        if (!at) continue;
        const double x = at->x - 0.5, y = at->y - 0.5, left = std::floor(x), top = std::floor(y);
        for (const int column : {0, 1})
            for (const int row : {0, 1}) {
                const double u = left + column, v = top + row;
                if (u < 0 || v < 0 || u >= kFewWide || v >= kFewHigh) continue;
                const double weight = (1 - std::abs(x - u)) * (1 - std::abs(y - v)), q = double{body.w};
                Moments& here = all[static_cast<std::size_t>(v) * kFewWide + static_cast<std::size_t>(u)];
                here.light += weight, here.first += weight * q, here.second += weight * q * q;
            }
    }
    return all;
}

struct Spread {
    Studio studio;
    ViewSettings settings;
    explicit Spread(DrawMode mode) {
        settings.mode = mode;
        settings.dispersion = true;
    }
    LightImage light(const Frame& frame, const OrbitCamera& camera) {
        studio.draw(frame, camera, settings, kFewWide, kFewHigh);
        return studio.renderer.read_light(studio.buffer, frame.extent, camera, settings, LightOf::kColors);
    }
};

/// Stored values map 3 ranges, from -1 to 2, to 0 to 1; returns the spread in units of the range.
double spread_in_ranges(const float* pixel) {
    const double mean = double{pixel[1]} / pixel[0];
    return 3 * std::sqrt(std::max(double{pixel[2]} / pixel[0] - mean * mean, 0.0));
}

TEST(Spread, MatchesTheDirectSum) {
    const Frame frame = cloud(20000);
    const OrbitCamera camera = whole(frame);
    const auto plain = plainly(frame, camera);
    Spread spread{DrawMode::kSplat};
    const LightImage light = spread.light(frame, camera);
    ASSERT_TRUE(light.moments);
    int compared = 0;
    for (int y = 0; y < kFewHigh; ++y)
        for (int x = 0; x < kFewWide; ++x) {
            const Moments& wanted = plain[static_cast<std::size_t>(y * kFewWide + x)];
            if (wanted.light < 5) continue;
            EXPECT_NEAR(light.pixel(x, y)[0] / wanted.light, 1, 1e-2) << x << ' ' << y;
            EXPECT_NEAR(spread_in_ranges(light.pixel(x, y)), wanted.spread(), 5e-3) << x << ' ' << y;
            ++compared;
        }
    EXPECT_GT(compared, 50);
}

/// Smoothing conserves Σ m, Σ m q and Σ m q² of the bodies.
TEST(Spread, ConservesMomentsWhenSmoothed) {
    Frame frame = cloud(5000);
    auto masses = std::make_shared<std::vector<float>>();
    std::mt19937 random{3};
    std::uniform_real_distribution<float> uniform{0.2f, 1.8f};
    Moments wanted, found;
    for (const Vec4f& body : frame.host) {
        const double m = masses->emplace_back(uniform(random)), q = double{body.w};
        wanted.light += m, wanted.first += m * q, wanted.second += m * q * q;
    }
    const double mean = wanted.light / 5000;
    for (float& mass : *masses) mass = static_cast<float>(mass / mean);
    frame.masses = masses;
    Spread spread{DrawMode::kSmoothed};
    spread.settings.mass_size = 1;
    const LightImage light = spread.light(frame, whole(frame));
    for (int y = 0; y < kFewHigh; ++y)
        for (int x = 0; x < kFewWide; ++x) {
            const float* here = light.pixel(x, y);
            found.light += here[0], found.first += here[1], found.second += here[2];
        }
    EXPECT_NEAR(found.light / (wanted.light / mean), 1, 1e-3);
    EXPECT_NEAR(3 * found.first / found.light - 1, wanted.first / wanted.light, 2e-3);
    EXPECT_NEAR(3 * found.spread(), wanted.spread(), 2e-3);
}

/// All bodies on one pixel, with two values; sprites are blended in floats.
TEST(Spread, IsCorrectForTwoValuesInEveryMode) {
    for (const DrawMode mode : {DrawMode::kPoints, DrawMode::kSplat, DrawMode::kSmoothed}) {
        Spread spread{mode};
        spread.settings.glow = 0;
        Frame frame;
        for (int i = 0; i < 200; ++i) frame.host.push_back({0, 0, 0, i % 2 ? 0.75f : 0.25f});
        frame.count = frame.host.size();
        frame.extent = {{0, 0, 0}, 1, 0, 1};
        const OrbitCamera camera{{.target = {0, 0, 0}, .distance = 3}};
        const LightImage light = spread.light(frame, camera);
        float most = 0;
        for (int y = 0; y < kFewHigh; ++y)
            for (int x = 0; x < kFewWide; ++x)
                if (light.pixel(x, y)[0] > most) {
                    most = light.pixel(x, y)[0];
                    EXPECT_NEAR(spread_in_ranges(light.pixel(x, y)), 0.25, 0.01) << static_cast<int>(mode);
                }
        EXPECT_GT(most, 0);
    }
}

TEST(Spread, ColourBarRunsFromZeroToHalfTheRange) {
    ViewSettings settings;
    settings.dispersion = true;
    const ColorBar bar = color_bar(settings, {{0, 0, 0}, 1, 2, 6}, {});
    EXPECT_EQ(bar.title, "Spread: Speed");
    ASSERT_GE(bar.ticks.size(), 2u);
    EXPECT_EQ(bar.ticks.front().text, "0");
    EXPECT_EQ(bar.ticks.front().at, 0);
    for (const ColorTick& tick : bar.ticks) EXPECT_NEAR(tick.at, std::stof(tick.text) / 2, 1e-6);
}

/// A slice equals the frame without the bodies outside it.
TEST(Slices, ShowOnlyTheBodiesWithinThem) {
    const Frame frame = cloud(4000);
    const OrbitCamera camera = whole(frame);
    const auto target = camera.pose().target, back = camera.back();
    const std::array<glm::dvec3, 4> normals{back, glm::dvec3{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    for (const DrawMode mode : {DrawMode::kPoints, DrawMode::kSplat, DrawMode::kSmoothed})
        for (int across = 0; across < 4; ++across) {
            SCOPED_TRACE(static_cast<int>(mode) * 10 + across);
            const glm::dvec3& n = normals[static_cast<std::size_t>(across)];
            Studio studio;
            ViewSettings settings;
            settings.mode = mode;
            const auto light = [&](const Frame& of) {
                studio.draw(of, camera, settings, kFewWide, kFewHigh);
                return studio.renderer.read_light(studio.buffer, of.extent, camera, settings, LightOf::kColors);
            };
            constexpr double kThick = 0.2;
            const LightImage all = light(frame);
            settings.slice = kThick, settings.slice_across = static_cast<SliceAcross>(across);
            const LightImage slice = light(frame);
            double inside = 0, found = 0, whole_light = 0;
            for (const Vec4f& body : frame.host) {
                const double off = n.x * (double{body.x} - target.x) + n.y * (double{body.y} - target.y) +
                                   n.z * (double{body.z} - target.z);
                inside += std::abs(off) <= kThick / 2 ? 1 : 0;
            }
            for (std::size_t i = 0; i < slice.numbers.size(); i += 4)
                found += double{slice.numbers[i]}, whole_light += double{all.numbers[i]};
            EXPECT_GT(inside, 100);
            EXPECT_LT(inside, 3900);
            // As a fraction of all light: in half floats, sprites carry slightly more or less than one body each.
            EXPECT_NEAR(found / whole_light, inside / 4000, mode == DrawMode::kPoints ? 2e-2 : 5e-3);
        }
}

}  // namespace
}  // namespace orrery::test
