// SPDX-License-Identifier: MIT
// Pictures by fields of a file: kernels with its smoothing lengths, light in three bands, absorption by dust.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>
#include <memory>
#include <utility>
#include <vector>

#include "app/picture/legend.hpp"
#include "app/render/body_light.hpp"
#include "app/render/dust_pass.hpp"
#include "core/bodies/body_metadata.hpp"
#include "core/physics/starlight.hpp"
#include "tests/app/render/cloud.hpp"

namespace orrery::test {
namespace {

constexpr int kAcross = 320, kUp = 240;
constexpr float kNone = std::numeric_limits<float>::quiet_NaN();
using Bands = std::array<std::vector<float>, 3>;

BodyOptics::Numbers numbers(std::vector<float> values) {
    return std::make_shared<const std::vector<float>>(std::move(values));
}

/// Bodies with positions and, if not empty, light and absorbing areas.
Frame shining(std::vector<Vec4f> bodies, Bands light, std::vector<float> dust = {}) {
    Frame frame;
    frame.count = bodies.size();
    frame.host = std::move(bodies);
    frame.extent = {.centre = {0, 0, 0}, .radius = 1, .color_by = ColorBy::kStarlight};
    auto words = std::make_shared<BodyMetadata>();
    for (std::size_t k = 0; k < 3; ++k) words->optics.light[k] = numbers(std::move(light[k]));
    if (!dust.empty()) words->optics.dust = numbers(std::move(dust));
    frame.words = std::move(words);
    return frame;
}

/// Sets the smoothing lengths of a frame, in Gadget's convention.
void set_lengths(Frame& frame, std::vector<float> lengths) {
    auto words = std::make_shared<BodyMetadata>(frame.words ? *frame.words : BodyMetadata{});
    words->optics.lengths = numbers(std::move(lengths));
    frame.words = std::move(words);
}

struct FieldPictures : ::testing::Test {
    Studio studio;
    ViewSettings settings{.mode = DrawMode::kSmoothed, .color_mode = "starlight"};
    OrbitCamera camera{{.target = {0, 0, 0}, .distance = 4, .yaw = 0, .pitch = 0}};

    LightImage light_image(const Frame& frame) {
        studio.draw(frame, camera, settings, kAcross, kUp);
        return studio.renderer.read_light(studio.buffer, frame.extent, camera, settings, LightOf::kColors);
    }
    /// Light and light × colour in all pixels; light is in units of that of one body.
    std::array<double, 4> sums(const Frame& frame) {
        const LightImage image = light_image(frame);
        std::array<double, 4> all{};
        for (int y = 0; y < kUp; ++y)
            for (int x = 0; x < kAcross; ++x)
                for (std::size_t k = 0; k < 4; ++k) all[k] += static_cast<double>(image.pixel(x, y)[k]);
        return all;
    }
    Vec3d toward_eye(double by) const {
        const glm::dvec3 at = by * camera.back();
        return {at.x, at.y, at.z};
    }
    static Vec4f at(Vec3d place) { return {float(place.x), float(place.y), float(place.z), 0}; }
};

/// One body, which has no neighbours; its kernel has the variance of the spline that ends at its smoothing length.
TEST_F(FieldPictures, KernelsOfTheFileConserveLightAndHaveItsLengths) {
    settings.color_mode = "speed";
    for (const float length : {0.05f, 0.2f, 0.8f}) {
        Frame frame;
        frame.host = {{0, 0, 0, 0.5f}};
        frame.count = 1;
        frame.extent = {{0, 0, 0}, 1, 0, 1};
        set_lengths(frame, {length});
        const LightImage image = light_image(frame);
        ASSERT_EQ(studio.renderer.mode_used(), DrawMode::kSmoothed);
        double sum = 0, spread = 0;
        for (int y = 0; y < kUp; ++y)
            for (int x = 0; x < kAcross; ++x) {
                const auto here = static_cast<double>(image.pixel(x, y)[0]);
                sum += here;
                spread += here * (std::pow(x + 0.5 - kAcross / 2.0, 2) + std::pow(y + 0.5 - kUp / 2.0, 2));
            }
        EXPECT_NEAR(sum, 1, 1e-4) << length;
        const double sigma = SmoothPass::kSigmaOfWidth * length * camera.pixels_per_length(4, kUp);
        EXPECT_NEAR(spread / sum / 2 / (sigma * sigma), 1, 0.03) << length;
    }
}

/// Bodies without a length are spread to their neighbours, as all are without the setting.
TEST_F(FieldPictures, BodiesWithoutLengthKeepTheirNeighbours) {
    settings.color_mode = "speed";
    Frame frame = cloud(300);
    camera = OrbitCamera{{.target = {0.3, -0.2, 0.1}, .distance = 4}};
    const LightImage plain = light_image(frame);
    set_lengths(frame, std::vector<float>(300, kNone));
    EXPECT_EQ(light_image(frame).numbers, plain.numbers);
    set_lengths(frame, std::vector<float>(300, 0.02f));
    EXPECT_NE(light_image(frame).numbers, plain.numbers);
    settings.smoothing_lengths = false;
    EXPECT_EQ(light_image(frame).numbers, plain.numbers);
}

/// Light is relative to its mean over the bodies; each mode adds the three bands.
TEST_F(FieldPictures, StarsShineInThreeBandsInEveryMode) {
    const Frame frame =
        shining({{-0.5f, 0, 0, 0}, {0.5f, 0, 0, 0}, {0, 0.3f, 0, 0}}, {{{3, 1, 0}, {3, 2, 0}, {6, 3, 0}}});
    for (const DrawMode mode : {DrawMode::kPoints, DrawMode::kSplat, DrawMode::kSmoothed}) {
        settings.mode = mode;
        const std::array<double, 4> all = sums(frame);
        const double tolerance = mode == DrawMode::kPoints ? 0.1 : 1e-3;
        EXPECT_NEAR(all[0], 3, 3 * tolerance) << "the mean light of three bodies is 1";
        EXPECT_NEAR(all[1] / all[0], 4.0 / 6, tolerance);
        EXPECT_NEAR(all[2] / all[0], 5.0 / 6, tolerance);
        EXPECT_NEAR(all[3] / all[0], 9.0 / 6, tolerance);
    }
}

TEST_F(FieldPictures, StarsWithUnknownLightAreGrey) {
    settings.mode = DrawMode::kSplat;
    const glm::dvec3 aside = 0.5 * camera.right();
    const Frame frame = shining({at({aside.x, aside.y, aside.z}), at({-aside.x, -aside.y, -aside.z})},
                                {{{8, kNone}, {1, kNone}, {0, kNone}}});
    const LightImage image = light_image(frame);
    double grey = 0, known = 0;
    for (int y = 0; y < kUp; ++y)
        for (int x = 0; x < kAcross; ++x) {
            const float* here = image.pixel(x, y);
            if (here[0] == 0) continue;
            const bool colorless = std::abs(here[1] - here[0]) < 1e-4 && std::abs(here[3] - here[0]) < 1e-4;
            (colorless ? grey : known) += static_cast<double>(here[0]);
        }
    EXPECT_NEAR(grey / known, 0.2, 1e-3) << "a fifth of the mean light";
}

/// A slab of dust across the line of sight: 40 × 40 wide kernels at one depth add up to a uniform column, whose optical
/// depth is the sum of their areas over its area. A star behind it keeps e^(−τ) of each band, a star before it all.
TEST_F(FieldPictures, LightBehindASlabOfDustIsAbsorbedInEachBand) {
    constexpr int kSide = 40;
    constexpr double kDepth = 1.5, kEdge = 4.0 / kSide;
    for (const double place : {-0.5, 0.5}) {
        std::vector<Vec4f> bodies{at(toward_eye(place))};
        Bands light{{{1}, {1}, {1}}};
        std::vector<float> dust{0}, lengths{0.05f};
        const glm::dvec3 right = camera.right(), up = camera.up();
        for (int i = 0; i < kSide * kSide; ++i) {
            const double x = (i % kSide - kSide / 2 + 0.5) * kEdge, y = (i / kSide - kSide / 2 + 0.5) * kEdge;
            const glm::dvec3 here = x * right + y * up;
            bodies.push_back(at({here.x, here.y, here.z}));
            for (auto& band : light) band.push_back(0);
            dust.push_back(static_cast<float>(kDepth * kEdge * kEdge));
            lengths.push_back(4 * static_cast<float>(kEdge));
        }
        Frame frame = shining(std::move(bodies), light, dust);
        set_lengths(frame, lengths);
        settings.dust = 0;
        const std::array<double, 4> clear = sums(frame);
        settings.dust = 1;
        const std::array<double, 4> seen = sums(frame);
        const bool behind = place < 0;
        const std::array extinctions{kExtinction.red, kExtinction.green, kExtinction.blue};
        for (std::size_t k = 0; k < 3; ++k)
            EXPECT_NEAR(seen[1 + k] / clear[1 + k], behind ? std::exp(-kDepth * extinctions[k]) : 1, 0.01)
                << k << behind;
        settings.dust = 2;
        if (behind) {
            EXPECT_NEAR(sums(frame)[3] / clear[3], std::exp(-2 * kDepth * kExtinction.blue), 0.01);
        }
    }
}

/// Stars and dust that fill the same slab evenly: (1 − e^(−τ))/τ of the light comes out.
TEST_F(FieldPictures, StarsMixedWithDustKeepTheMeanTransmission) {
    constexpr int kSide = 20, kLayers = 64;
    constexpr double kDepth = 2, kEdge = 4.0 / kSide;
    std::vector<Vec4f> bodies;
    Bands light;
    std::vector<float> dust, lengths;
    for (int layer = 0; layer < kLayers; ++layer)
        for (int i = 0; i < kSide * kSide; ++i) {
            const double x = (i % kSide - kSide / 2 + 0.5) * kEdge, y = (i / kSide - kSide / 2 + 0.5) * kEdge;
            const glm::dvec3 here = x * camera.right() + y * camera.up() + (layer / 64.0 - 0.5) * 0.2 * camera.back();
            bodies.push_back(at({here.x, here.y, here.z}));
            for (auto& band : light) band.push_back(1);
            dust.push_back(static_cast<float>(kDepth * kEdge * kEdge / kLayers));
            lengths.push_back(4 * static_cast<float>(kEdge));
        }
    Frame frame = shining(std::move(bodies), light, dust);
    set_lengths(frame, lengths);
    const auto middle = [&](double strength) {
        settings.dust = static_cast<float>(strength);
        const LightImage image = light_image(frame);
        return static_cast<double>(image.pixel(kAcross / 2, kUp / 2)[2]);
    };
    const double depth = kDepth * kExtinction.green;
    EXPECT_NEAR(middle(1) / middle(0), (1 - std::exp(-depth)) / depth, 0.02);
}

TEST_F(FieldPictures, TheScaleOfACosmologicalSnapshotIsNamed) {
    BodyMetadata words{.length_unit = "kpc", .days_per_time = 3.5713e11};
    words.cosmology = gadget_convention(0.3, 0.7, 0.5, 0.25);
    const auto legend = [&](bool physical) {
        settings.guides.physical = physical;
        const FrameExtent extent{};
        return make_legend({.view = settings,
                            .extent = extent,
                            .words = words,
                            .time = 0.25,
                            .scale_factor = 0.25,
                            .expansion = 0.25,
                            .colored = true,
                            .places = {},
                            .camera = camera,
                            .width = kAcross,
                            .height = kUp,
                            .longest_scale = 150});
    };
    const Legend comoving = legend(false), physical = legend(true);
    EXPECT_EQ(comoving.length_unit, "kpc/h comoving");
    EXPECT_EQ(physical.length_unit, "kpc physical");
    const double per_length = comoving.scale->pixels / comoving.scale->length;
    EXPECT_NEAR(physical.scale->pixels / physical.scale->length, per_length * 0.5 / 0.25, 1e-9);
    EXPECT_THAT(physical.colors->title, testing::EndsWith("km/s peculiar"));
}

}  // namespace
}  // namespace orrery::test
