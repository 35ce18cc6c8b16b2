// SPDX-License-Identifier: MIT
#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

#include "app/render/color_maps.hpp"
#include "app/render/exposure.hpp"
#include "core/base/error.hpp"
#include "tests/app/render/cloud.hpp"

namespace orrery::test {
namespace {

OrbitCamera looking_at(const Frame& frame, double aspect = 640.0 / 360) {
    OrbitCamera camera;
    FrameExtent wide = frame.extent;
    wide.radius *= 1.6;  // no body outside the frame
    camera.fit(wide, aspect, Transition::kAtOnce);
    camera.pan(0.06, -0.04);
    return camera;
}

struct Light {
    double x = 0, y = 0, total = 0;
};

Light centre_of_light(const Image& image) {
    Light sum;
    for (int y = 0; y < image.height; ++y) {
        for (int x = 0; x < image.width; ++x) {
            const double light = light_of(image, x, y);
            sum.x += light * (x + 0.5);
            sum.y += light * (y + 0.5);
            sum.total += light;
        }
    }
    return {sum.x / sum.total, sum.y / sum.total, sum.total};
}

Light expected_light(const Frame& frame, const OrbitCamera& camera, const ViewSettings& settings) {
    const glm::dmat4 matrix = camera.projection(640.0 / 360) * camera.view();
    Light sum;
    for (const Vec4f& body : frame.host) {
        const glm::dvec4 clip = matrix * glm::dvec4{body.x, body.y, body.z, 1};
        sum.x += (clip.x / clip.w * 0.5 + 0.5) * 640;
        sum.y += (0.5 - clip.y / clip.w * 0.5) * 360;
    }
    const auto bodies = static_cast<double>(frame.count);
    const Brightness b = brightness(frame.count, frame.extent, camera, 360, settings.mode, settings);
    return {sum.x / bodies, sum.y / bodies, bodies * b.light / b.white * std::exp2(settings.exposure)};
}

class EveryDrawMode : public testing::TestWithParam<DrawModeEntry> {};

TEST_P(EveryDrawMode, PlacesLightAtTheBodies) {
    Studio studio;
    const Frame frame = cloud(20000);
    const OrbitCamera camera = looking_at(frame);
    const ViewSettings settings = linear_view(GetParam().mode == DrawMode::kAuto ? DrawMode::kSplat : GetParam().mode);
    const Light seen = centre_of_light(studio.draw(frame, camera, settings));
    const Light expected = expected_light(frame, camera, settings);
    EXPECT_NEAR(seen.x, expected.x, 0.5);
    EXPECT_NEAR(seen.y, expected.y, 0.5);
    EXPECT_NEAR(seen.total / expected.total, 1, 0.05);
}

TEST_P(EveryDrawMode, IsReproducible) {
    const Frame frame = cloud(5000);
    ViewSettings settings;
    settings.mode = GetParam().mode;
    const OrbitCamera camera = looking_at(frame);
    Image first;
    {
        Studio studio;
        first = studio.draw(frame, camera, settings);
        EXPECT_EQ(studio.draw(frame, camera, settings).rgba, first.rgba) << "in the same context";
    }
    Studio another;
    EXPECT_EQ(another.draw(frame, camera, settings).rgba, first.rgba) << "in another context";
}

TEST_P(EveryDrawMode, DrawsAnEmptyFrameBlack) {
    Studio studio;
    ViewSettings settings;
    settings.mode = GetParam().mode;
    studio.draw(cloud(3000), looking_at(cloud(3000)), settings);  // must leave no trace
    const Image image = studio.draw(cloud(0), OrbitCamera{}, settings);
    for (std::size_t i = 0; i < image.rgba.size(); ++i) ASSERT_EQ(image.rgba[i], i % 4 == 3 ? 255 : 0) << "byte " << i;
}

TEST_P(EveryDrawMode, SkipsBodiesWithNonFinitePositions) {
    Studio studio;
    ViewSettings settings;
    settings.mode = GetParam().mode;
    settings.glow = 0;
    constexpr float kNan = std::numeric_limits<float>::quiet_NaN(), kInf = std::numeric_limits<float>::infinity();
    const Frame good = cloud(3000);
    const OrbitCamera camera = looking_at(good);
    Frame bad = good, away = good;
    for (const Vec4f& broken : {Vec4f{kNan, 0, 0, 1}, Vec4f{0, kInf, 0, 1}, Vec4f{kNan, kNan, kNan, kNan}}) {
        bad.host.push_back(broken);
        away.host.push_back({1e6f, 1e6f, 1e6f, 1});  // as many, but out of view
    }
    bad.count = away.count = bad.host.size();
    EXPECT_EQ(studio.draw(bad, camera, settings).rgba, studio.draw(away, camera, settings).rgba);
}

TEST_P(EveryDrawMode, DrawsFramesOfAnySize) {
    Studio studio;
    ViewSettings settings;
    settings.mode = GetParam().mode;
    const Frame frame = cloud(3000);
    for (const auto& [width, height] : {std::pair{1, 1}, {17, 5}, {3, 200}, {641, 361}}) {
        const Image image = studio.draw(frame, looking_at(frame, double(width) / height), settings, width, height);
        EXPECT_EQ(glGetError(), GLenum{GL_NO_ERROR});
        EXPECT_GT(*std::ranges::max_element(image.rgba), 0) << width << " x " << height;
    }
}

/// Software OpenGL draws what GPUs compute; both methods run on either.
TEST_P(EveryDrawMode, RasterisedAndComputedFramesMatch) {
    const Frame frame = cloud(20000);
    const OrbitCamera camera = looking_at(frame);
    for (const char* map : {"auto", "twilight"}) {  // with an order and without
        ViewSettings settings;
        settings.mode = GetParam().mode;
        settings.color_map = map;
        settings.glow = 0.4f;
        Image images[2];
        for (const bool software : {true, false}) {
            Studio studio;
            GlInfo gl = studio.context.gl_info();
            gl.software = software;
            studio.renderer = Renderer{gl};
            images[software] = studio.draw(frame, camera, settings, 333, 217);
        }
        ASSERT_EQ(images[0].rgba.size(), images[1].rgba.size());
        int most = 0;
        for (std::size_t i = 0; i < images[0].rgba.size(); ++i)
            most = std::max(most, std::abs(images[0].rgba[i] - images[1].rgba[i]));
        EXPECT_LE(most, 3) << map << ": more than two neighbouring colours of the map";
        EXPECT_GT(std::ranges::max(images[0].rgba), 200);
    }
}

INSTANTIATE_TEST_SUITE_P(Menu, EveryDrawMode, testing::ValuesIn(draw_modes().begin(), draw_modes().end()),
                         [](const auto& line) { return std::string{line.param.id}; });

TEST(Splat, IsIndependentOfTheOrderOfBodies) {
    Studio studio;
    ViewSettings settings;
    settings.mode = DrawMode::kSplat;
    Frame frame = cloud(30000);
    const OrbitCamera camera = looking_at(frame);
    const Image before = studio.draw(frame, camera, settings);
    std::ranges::shuffle(frame.host, std::mt19937{5});
    EXPECT_EQ(studio.draw(frame, camera, settings).rgba, before.rgba);
}

TEST(Splat, DoesNotOverflowWhenAllBodiesShareAPixel) {
    Studio studio;
    const ViewSettings settings = linear_view(DrawMode::kSplat);
    Frame frame = cloud(300000);
    const OrbitCamera camera = looking_at(frame);
    std::ranges::fill(frame.host, Vec4f{0.3f, -0.2f, 0.1f, 0.5f});
    const Image image = studio.draw(frame, camera, settings);
    double brightest = 0;
    for (int y = 0; y < image.height; ++y) {
        for (int x = 0; x < image.width; ++x) brightest = std::max(brightest, light_of(image, x, y));
    }
    EXPECT_EQ(brightest, 1);
}

TEST(Auto, UsesSpritesForFewBodiesAndSplatsForMany) {
    Studio studio;
    studio.draw(cloud(3), OrbitCamera{}, {});
    EXPECT_EQ(studio.renderer.mode_used(), DrawMode::kPoints);
    studio.draw(cloud(20000), OrbitCamera{}, {});
    EXPECT_EQ(studio.renderer.mode_used(), DrawMode::kSplat);
    ViewSettings settings;
    studio.draw(cloud(7000), OrbitCamera{}, settings);
    EXPECT_EQ(studio.renderer.mode_used(), DrawMode::kSplat);
    settings.size = 4;
    studio.draw(cloud(7000), OrbitCamera{}, settings);
    EXPECT_EQ(studio.renderer.mode_used(), DrawMode::kPoints) << "large bodies need sprites";
}

class EveryNumberOfBodies : public testing::TestWithParam<int> {};

TEST_P(EveryNumberOfBodies, IsNeitherSaturatedNorInvisible) {
    Studio studio;
    const Frame frame = cloud(static_cast<std::size_t>(GetParam()));
    OrbitCamera camera;
    camera.fit(frame.extent, 640.0 / 360, Transition::kAtOnce);
    const Image image = studio.draw(frame, camera, {});
    int lit = 0, white = 0;
    for (std::size_t i = 0; i < image.rgba.size(); i += 4) {
        const auto [low, high] = std::minmax({image.rgba[i], image.rgba[i + 1], image.rgba[i + 2]});
        lit += high > 24;
        white += low > 250;
    }
    EXPECT_GT(lit, std::min(10 * GetParam(), 20000));
    EXPECT_LT(white, lit / 20);
}

INSTANTIATE_TEST_SUITE_P(Counts, EveryNumberOfBodies, testing::Values(3, 100, 1500, 22000, 1000000));

class EveryToneMap : public testing::TestWithParam<ToneMapEntry> {};

TEST_P(EveryToneMap, BrightensWithExposureFromBlackToWhite) {
    Studio studio;
    const Frame frame = cloud(20000);
    double before = -1;
    for (const float exposure : {-12.0f, -4.0f, -2.0f, 0.0f, 2.0f, 4.0f}) {
        ViewSettings settings;
        settings.tone_map = GetParam().tone_map;
        settings.exposure = exposure;
        const Image image = studio.draw(frame, looking_at(frame), settings);
        double mean = 0;
        for (std::size_t i = 0; i < image.rgba.size(); i += 4)
            mean += image.rgba[i] + image.rgba[i + 1] + image.rgba[i + 2];
        EXPECT_GT(mean, before) << "at " << exposure << " EV";
        before = mean;
        const std::uint8_t* middle = image.row(180) + 4 * 320;
        if (exposure == -12) {
            EXPECT_LT(middle[0] + middle[1] + middle[2], 60);
        }
        if (exposure == 4) {
            EXPECT_GT(middle[0] + middle[1] + middle[2], 600);
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Menu, EveryToneMap, testing::ValuesIn(tone_maps().begin(), tone_maps().end()),
                         [](const auto& line) { return std::string{line.param.id}; });

TEST(ColorMaps, WithoutLightnessAreFullyBright) {
    for (const ColorMapEntry& map : color_maps()) {
        if (map.lightness > 0) continue;  // see color_maps_test.cpp
        const ColorTable table = color_table(map);
        for (const Vec4f& c : table) {
            EXPECT_FLOAT_EQ(std::max({c.x, c.y, c.z}), 1) << map.id;
            EXPECT_GE(std::min({c.x, c.y, c.z}), 0) << map.id;
        }
        const Vec4f &low = table.front(), &high = table.back();
        EXPECT_GT(std::abs(low.x - high.x) + std::abs(low.y - high.y) + std::abs(low.z - high.z), 0.2) << map.id;
    }
}

TEST(ColorMaps, UnknownMapIsNamedInTheError) {
    Studio studio;
    ViewSettings settings;
    settings.color_map = "mud";
    EXPECT_THAT(
        [&] { studio.draw(cloud(3), OrbitCamera{}, settings); },
        testing::ThrowsMessage<Error>(testing::AllOf(testing::HasSubstr("'mud'"), testing::HasSubstr("ember"))));
}

TEST(SharedBufferTest, StoresTheNewestFrameOfAnySize) {
    Studio studio;
    for (const std::size_t count : {10u, 0u, 5000u, 3u}) {
        const Frame frame = cloud(count);
        studio.buffer.upload(frame);
        ASSERT_EQ(studio.buffer.count(), count);
        EXPECT_EQ(studio.buffer.way(), SharedBuffer::Way::kHost);
        std::vector<Vec4f> back(count);
        if (count > 0) {
            glGetNamedBufferSubData(studio.buffer.name(), 0, static_cast<GLsizeiptr>(count * sizeof(Vec4f)),
                                    back.data());
        }
        EXPECT_EQ(back, frame.host);
    }
}

}  // namespace
}  // namespace orrery::test
