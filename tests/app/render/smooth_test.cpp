// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <random>
#include <thread>
#include <vector>

#include "app/render/body_light.hpp"
#include "app/render/frame_uniforms.hpp"
#include "tests/app/render/cloud.hpp"

namespace orrery::test {
namespace {

constexpr int kSmoothWidth = 640, kSmoothHeight = 360;

struct Smoothed {
    Studio studio;
    ViewSettings settings;
    Smoothed() {
        settings.mode = DrawMode::kSmoothed;
        settings.mass_size = 1;  // the light is mass, and its density the surface density
    }
    Image draw(const Frame& frame, const OrbitCamera& camera) {
        return studio.draw(frame, camera, settings, kSmoothWidth, kSmoothHeight);
    }
    LightImage light(const Frame& frame, const OrbitCamera& camera) {
        draw(frame, camera);
        EXPECT_EQ(studio.renderer.mode_used(), DrawMode::kSmoothed);
        return studio.renderer.read_light(studio.buffer, frame.extent, camera, settings, LightOf::kColors);
    }
};

struct Sums {
    double light = 0, places = 0, x = 0, y = 0;
};

/// Σ light, Σ light × position in the colour map, and the centroid of light in pixels from the upper left.
Sums sums(const LightImage& light) {
    Sums all;
    for (int y = 0; y < kSmoothHeight; ++y)
        for (int x = 0; x < kSmoothWidth; ++x) {
            const float* here = light.pixel(x, y);
            all.light += here[0], all.places += here[1], all.x += here[0] * (x + 0.5), all.y += here[0] * (y + 0.5);
        }
    all.x /= all.light, all.y /= all.light;
    return all;
}

OrbitCamera wide_camera(const Frame& frame, double wider = 2.6) {
    OrbitCamera camera;
    FrameExtent wide = frame.extent;
    wide.radius *= wider;
    camera.fit(wide, double(kSmoothWidth) / kSmoothHeight, Transition::kAtOnce);
    return camera;
}

/// The integral of the surface density is the mass; that of density times quantity is Σ m q.
TEST(SmoothedMode, ConservesMassAndMassWeightedQuantity) {
    Smoothed smoothed;
    for (const std::size_t bodies : {1u, 2u, 300u, 20000u}) {
        Frame frame = cloud(bodies);
        auto masses = std::make_shared<std::vector<float>>();
        std::mt19937 random{3};
        std::uniform_real_distribution<float> uniform{0.1f, 1.9f};
        double mass = 0, places = 0;
        for (const Vec4f& body : frame.host) {
            masses->push_back(uniform(random));
            mass += masses->back(), places += double{masses->back()} * body.w;
        }
        const double mean = mass / static_cast<double>(bodies);
        for (float& each : *masses) each = static_cast<float>(each / mean);
        frame.masses = masses;
        // Kernels of isolated bodies are wide and must fit into the frame.
        const Sums found = sums(smoothed.light(frame, wide_camera(frame, bodies < 300 ? 12 : 4)));
        EXPECT_NEAR(found.light / static_cast<double>(bodies), 1, 2e-4) << bodies;
        EXPECT_NEAR(found.places / (places / mean), 1, 1e-3) << bodies;
    }
}

/// Position and width of kernels over a range of widths: one body with four neighbours at equal distances.
TEST(SmoothedMode, KernelsAreCentredAndScaleWithNeighbourDistance) {
    Smoothed smoothed;
    smoothed.settings.neighbours = 4;
    for (const float apart : {0.002f, 0.01f, 0.03f, 0.1f, 0.2f}) {
        Frame frame;
        // A body with four neighbours at one distance; only the central body has mass.
        frame.host = {{0, 0, 0, 0.5f}, {apart, 0, 0, 0}, {-apart, 0, 0, 0}, {0, apart, 0, 0}, {0, -apart, 0, 0}};
        frame.count = frame.host.size();
        frame.masses = std::make_shared<std::vector<float>>(std::vector<float>{5, 0, 0, 0, 0});
        frame.extent = {{0, 0, 0}, 1, 0, 1};
        OrbitCamera camera{{.target = {0, 0, 0}, .distance = 3, .yaw = 0.3, .pitch = 0.4}};
        camera.pan(0.031, -0.017);
        camera.advance(10);
        const LightImage light = smoothed.light(frame, camera);
        const Sums all = sums(light);
        double spread = 0;
        for (int row = 0; row < kSmoothHeight; ++row)
            for (int column = 0; column < kSmoothWidth; ++column)
                spread +=
                    light.pixel(column, row)[0] * (std::pow(column + 0.5 - all.x, 2) + std::pow(row + 0.5 - all.y, 2));
        const auto place = camera.project({0, 0, 0}, kSmoothWidth, kSmoothHeight);
        EXPECT_NEAR(all.x, place->x, 0.02) << apart;
        EXPECT_NEAR(all.y, place->y, 0.02) << apart;
        // Each axis has half of the variance; within a pixel, a body has a variance of 1/4 pixel².
        const double wanted = SmoothPass::kSigmaOfWidth * apart * camera.pixels_per_length(3, kSmoothHeight);
        EXPECT_NEAR(spread / all.light / 2, std::max(0.25, wanted * wanted), 0.02 * wanted * wanted + 0.01) << apart;
    }
}

TEST(SmoothedMode, IsIndependentOfTheOrderOfBodies) {
    Smoothed smoothed;
    Frame frame = cloud(5000);
    const OrbitCamera camera = wide_camera(frame);
    const auto light = smoothed.light(frame, camera);
    const Image image = smoothed.draw(frame, camera);
    std::ranges::shuffle(frame.host, std::mt19937{5});
    EXPECT_EQ(smoothed.light(frame, camera).numbers, light.numbers);
    EXPECT_EQ(smoothed.draw(frame, camera).rgba, image.rgba);
}

/// Sums per work group must not change the result: bodies ordered by position and shuffled, of all widths.
TEST(SmoothedMode, IsBitwiseEqualWithSumsPerTile) {
    Smoothed smoothed;
    const Frame frame = cloud(5000);
    const OrbitCamera camera = wide_camera(frame, 1.2);
    smoothed.draw(frame, camera);
    std::vector<float> widths(5000);
    std::vector<GLuint> order(5000), by_place(5000);
    std::mt19937 random{3};
    for (float& width : widths) width = std::exp(std::uniform_real_distribution<float>{-9, 1}(random));
    std::iota(order.begin(), order.end(), 0u);
    std::ranges::sort(order, {}, [&](GLuint i) { return frame.host[i].x; });
    by_place = order;
    std::ranges::shuffle(order, random);
    ViewUniforms uniforms{};
    uniforms.clip_from_world = glm::mat4{camera.projection(double(kSmoothWidth) / kSmoothHeight) * camera.view()};
    uniforms.eye_from_world = glm::mat4{camera.view()};
    uniforms.resolution = {float(kSmoothWidth), float(kSmoothHeight)};
    uniforms.scalar_scale = 1, uniforms.light = 1, uniforms.fixed_scale = 5e5f, uniforms.light_unit = 2e-6f;
    for (const LightChannels channels :
         {LightChannels::kIntensityAndPosition, LightChannels::kColors, LightChannels::kMoments}) {
        uniforms.hues = static_cast<int>(channels);
        GlBuffer view{sizeof uniforms, GL_DYNAMIC_STORAGE_BIT};
        view.write(&uniforms, sizeof uniforms);
        glBindBufferBase(GL_UNIFORM_BUFFER, 0, view.name());
        GlBuffer distances{widths.size() * sizeof(float), GL_DYNAMIC_STORAGE_BIT};
        distances.write(widths.data(), widths.size() * sizeof(float));
        SmoothPass pass{smoothed.studio.context.gl_info().software};
        ASSERT_TRUE(pass.resize(kSmoothWidth, kSmoothHeight, channels));
        const auto light = [&](const std::vector<GLuint>* as) {
            GlBuffer numbers;
            if (as != nullptr) {
                numbers = GlBuffer{as->size() * sizeof(GLuint), GL_DYNAMIC_STORAGE_BIT};
                numbers.write(as->data(), as->size() * sizeof(GLuint));
            }
            pass.add_light(smoothed.studio.buffer, {.widths = {distances.name(), numbers.name()}},
                           {camera.pixels_per_length(1, kSmoothHeight)}, view, Sweep::kDraw);
            std::vector<float> texels(4 * kSmoothWidth * kSmoothHeight);
            glGetTextureImage(pass.light().name(), 0, GL_RGBA, GL_FLOAT, GLsizei(texels.size() * sizeof(float)),
                              texels.data());
            return texels;
        };
        const std::vector<float> plain = light(nullptr);
        EXPECT_GT(std::ranges::count_if(plain, [](float x) { return x > 0; }), 100'000);
        EXPECT_EQ(light(&by_place), plain);
        EXPECT_EQ(light(&order), plain);
    }
}

/// The profile of a Gaussian ball, whose projection is known; unsmoothed bodies would be grainy.
TEST(SmoothedMode, ShowsTheSampledSurfaceDensity) {
    Smoothed smoothed;
    const Frame frame = cloud(20000);
    OrbitCamera camera{{.target = {0.3, -0.2, 0.1}, .distance = 40, .yaw = 0, .pitch = 0, .fov = 0.05}};
    const auto light = smoothed.light(frame, camera);
    const double per_length = camera.pixels_per_length(40, kSmoothHeight), sigma = 0.25 * per_length;
    double sum = 0;
    int count = 0;
    for (int column = kSmoothWidth / 2 - 2; column >= kSmoothWidth / 2 - int(1.6 * sigma); column -= 8) {
        const double off = column + 0.5 - kSmoothWidth / 2.0;
        const double expected =
            20000 / (2 * std::numbers::pi * sigma * sigma) * std::exp(-0.5 * off * off / (sigma * sigma));
        const double got = light.pixel(column, kSmoothHeight / 2)[0];
        sum += (got / expected - 1) * (got / expected - 1), ++count;
    }
    EXPECT_LT(std::sqrt(sum / count), 0.2) << "unsmoothed, with 1.6 bodies per pixel, it would be 0.8";
}

/// When not patient, earlier smoothing lengths or none are used: the window does not wait for neighbours.
TEST(SmoothedMode, DoesNotWaitForNeighboursUnlessPatient) {
    Smoothed smoothed;
    smoothed.studio.patient = false;
    const Frame frame = cloud(3000);
    smoothed.draw(frame, wide_camera(frame));
    while (!smoothed.studio.buffer.widths_came()) std::this_thread::yield();
    smoothed.draw(frame, wide_camera(frame));  // uses the new lengths
    const RenderTarget target{kSmoothWidth, kSmoothHeight};
    smoothed.studio.renderer.draw(smoothed.studio.buffer, frame.extent, wide_camera(frame), smoothed.settings, target);
    EXPECT_EQ(smoothed.studio.renderer.mode_used(), DrawMode::kSmoothed);
}

}  // namespace
}  // namespace orrery::test
