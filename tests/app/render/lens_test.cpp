// SPDX-License-Identifier: MIT
#include "app/render/view_settings.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include <glm/geometric.hpp>

#include "app/record/picture_maker.hpp"
#include "core/base/error.hpp"
#include "tests/app/render/cloud.hpp"

namespace orrery::test {
namespace {

const CameraPose kPose{.target = {0.5, -0.25, 0.1}, .distance = 2, .yaw = 0.4, .pitch = 0.3};

/// One body at a position relative to the eye: to the right, up, and ahead.
Frame body_at(double right, double up, double ahead) {
    const OrbitCamera camera{kPose};
    const glm::dvec3 place = camera.eye() + right * camera.right() + up * camera.up() - ahead * camera.back();
    Frame frame;
    frame.count = 1;
    frame.host = {{float(place.x), float(place.y), float(place.z), 0.5f}};
    frame.extent = {{place.x, place.y, place.z}, 1, 0, 1};
    return frame;
}

SharedImage through(const Studio& studio, Lens lens, const Frame& frame, int width, int height,
                    const ViewSettings& settings = {}) {
    const GlInfo gl = studio.context.gl_info();
    PictureMaker maker{gl, {width, height, 1, lens}, 60};
    SharedBuffer bodies;
    bodies.upload(frame);
    maker.draw(bodies, frame, kPose, settings);
    return maker.take();
}

struct Spot {
    double x = 0, y = 0, light = 0;
};

/// The centroid of light between two columns.
Spot spot(const Image& image, int first, int last) {
    Spot found;
    for (int y = 0; y < image.height; ++y)
        for (int x = first; x < last; ++x) {
            const double light = light_of(image, x, y);
            found.x += light * (x + 0.5), found.y += light * (y + 0.5), found.light += light;
        }
    found.x /= found.light, found.y /= found.light;
    return found;
}

class EveryDrawModeThroughALens : public testing::TestWithParam<DrawModeEntry> {};

TEST_P(EveryDrawModeThroughALens, PlacesBodiesByTheirDirection) {
    const Studio studio;
    ViewSettings settings;
    settings.mode = GetParam().mode;
    settings.glow = 0;
    const struct {
        double right, up, ahead;
    } places[] = {{0, 0, 1}, {1, 0.3, 1}, {-1, 0.5, 0.2}, {2, -0.7, 0.4}, {0.5, 0.2, -1}};
    for (const auto& [right, up, ahead] : places) {
        const Frame frame = body_at(right, up, ahead);
        const double away = std::hypot(right, up, ahead);
        const SharedImage all = through(studio, Lens::kPanorama, frame, 640, 320, settings);
        const Spot seen = spot(*all, 0, 640);
        EXPECT_NEAR(seen.x, 320 + 320 * std::atan2(right, ahead) / std::numbers::pi, 0.6);
        EXPECT_NEAR(seen.y, 160 - 160 * std::asin(up / away) / (std::numbers::pi / 2), 0.6);
        const SharedImage dome = through(studio, Lens::kDome, frame, 400, 400, settings);
        if (ahead < 0) {
            EXPECT_EQ(lit(*dome), 0) << "the body is behind the eye";
            continue;
        }
        const double radius = 200 * std::acos(ahead / away) / (std::numbers::pi / 2), aside = std::hypot(right, up);
        const Spot there = spot(*dome, 0, 400);
        EXPECT_NEAR(there.x, 200 + (aside > 0 ? radius * right / aside : 0), 0.6);
        EXPECT_NEAR(there.y, 200 - (aside > 0 ? radius * up / aside : 0), 0.6);
    }
}

INSTANTIATE_TEST_SUITE_P(Menu, EveryDrawModeThroughALens, testing::ValuesIn(draw_modes().begin(), draw_modes().end()),
                         [](const auto& line) { return std::string{line.param.id}; });

/// Bodies at the target's distance lie in the screen plane; nearer ones lie in front of it, further right for the left
/// eye.
TEST(Stereo, HasTheParallaxOfTwoEyes) {
    const Studio studio;
    ViewSettings settings;
    settings.glow = 0;
    const auto parallax = [&](double ahead) {
        const SharedImage both = through(studio, Lens::kStereo, body_at(0, 0, ahead), 800, 300, settings);
        const Spot left = spot(*both, 0, 400), right = spot(*both, 400, 800);
        EXPECT_NEAR(left.y, right.y, 0.1);
        return left.x - (right.x - 400);
    };
    EXPECT_NEAR(parallax(2), 0, 0.2);
    // The eyes are 1/30 of the distance apart; the parallax is the share of it between the body and the screen.
    const double per_length = OrbitCamera{kPose}.pixels_per_length(2, 300), apart = 2.0 / 30 * per_length;
    EXPECT_NEAR(parallax(1), apart, 0.3);
    EXPECT_NEAR(parallax(6), -apart * 2 / 3, 0.3);
}

TEST(Lenses, NonFlatOnesRefuseTheGrid) {
    const Studio studio;
    ViewSettings settings;
    settings.guides.grid = true;
    EXPECT_THAT([&] { through(studio, Lens::kDome, body_at(0, 0, 1), 64, 64, settings); },
                testing::ThrowsMessage<Error>(testing::HasSubstr("grid")));
}

}  // namespace
}  // namespace orrery::test
