// SPDX-License-Identifier: MIT
// Motion blur and motion vectors.
#include <gmock/gmock.h>

#include <cmath>

#include "app/record/picture_maker.hpp"
#include "core/base/error.hpp"
#include "tests/app/render/cloud.hpp"

namespace orrery::test {
namespace {

constexpr int kBlurWidth = 240, kBlurHeight = 135, kInstants = 16;

/// A camera along −x, and bodies placed by pixels from the middle of the picture, which lies in the middle of a row and
/// between two columns.
class Blur : public testing::Test {
protected:
    Blur() {
        pose.target = {0, 0, 0}, pose.yaw = pose.pitch = 0;
        per_pixel = 1 / OrbitCamera{pose}.pixels_per_length(pose.distance, kBlurHeight);
        settings.glow = 0;
    }
    Vec4f at(double right, double up, double nearer = 0) const {
        const OrbitCamera camera{pose};
        const double scale = per_pixel * (pose.distance - nearer) / pose.distance;
        const glm::dvec3 p = right * scale * camera.right() + up * scale * camera.up() + nearer * camera.back();
        return {float(p.x), float(p.y), float(p.z), 0.5f};
    }
    static Frame frame_of(std::vector<Vec4f> bodies) {
        Frame frame = cloud(bodies.size());
        frame.host = std::move(bodies);
        return frame;
    }
    PictureMaker maker(int supersampling = 1) const {
        return {gl, {kBlurWidth, kBlurHeight, supersampling, Lens::kFlat, 8, true}, 60};
    }
    /// The light of each pixel of a picture between two states with the shutter open for a part of the way.
    std::vector<float> blurred(const Frame& from, const Frame& to, double open) const {
        PictureMaker pictures = maker();
        SharedBuffer a, b;
        a.upload(from), b.upload(to);
        BodiesBetween between;
        pictures.open_shutter(from, kInstants);
        for (int i = 0; i < kInstants; ++i)
            pictures.add_instant(between.at(a, b, static_cast<float>(open * (i + 0.5) / kInstants)), pose, settings);
        pictures.draw(a, from, pose, settings);
        std::vector<float> light;
        const SharedImage image = pictures.take();
        for (std::size_t i = 3; i < image->deep->light.size(); i += 5) light.push_back(image->deep->light[i]);
        return light;
    }
    struct Moments {
        double light = 0, x = 0, variance = 0;
    };
    static Moments moments(const std::vector<float>& light) {
        Moments m;
        double squares = 0;
        for (std::size_t i = 0; i < light.size(); ++i) {
            const double x = static_cast<double>(i % kBlurWidth) + 0.5, here = static_cast<double>(light[i]);
            m.light += here, m.x += here * x, squares += here * x * x;
        }
        m.x /= m.light, m.variance = squares / m.light - m.x * m.x;
        return m;
    }

    Studio studio;
    GlInfo gl = studio.context.gl_info();
    CameraPose pose;
    double per_pixel;
    ViewSettings settings;
};

TEST_F(Blur, MovingBodyIsAStreakOfItsLightAndOfTheLengthOfTheShutter) {
    constexpr double kWay = 60;  // pixels
    const Frame from = frame_of({at(-40, 10)}), to = frame_of({at(-40 + kWay, 10)});
    for (const DrawMode mode : {DrawMode::kSplat, DrawMode::kPoints}) {
        settings.mode = mode;
        const Moments still = moments(blurred(from, from, 1));
        for (const double open : {0.25, 0.5, 1.0}) {
            const Moments streak = moments(blurred(from, to, open));
            const double length = open * kWay;
            EXPECT_NEAR(streak.light, still.light, 1e-3 * still.light) << open;
            EXPECT_NEAR(streak.light, 1, 0.03) << "one body";
            EXPECT_NEAR(streak.x, still.x + length / 2, 0.5) << open;
            // That of evenly spaced instants; `splat` rounds places to pixels.
            const double expected = length * length / 12 * (1 - 1.0 / (kInstants * kInstants));
            EXPECT_NEAR(std::sqrt(streak.variance - still.variance), std::sqrt(expected), 0.02 * length + 0.2) << open;
        }
    }
}

/// The mean is that of light, not of colours: a body seen for half of the instants has half of its light.
TEST_F(Blur, AveragesTheLightOfItsInstants) {
    settings.mode = DrawMode::kSplat;
    const Frame frame = cloud(5000);
    PictureMaker pictures = maker();
    SharedBuffer bodies, none;
    bodies.upload(frame);
    none.upload(frame_of(std::vector<Vec4f>(5000, Vec4f{NAN, 0, 0, 0})));
    pose.distance = 4 * frame.extent.radius;
    const auto light = [&](const std::vector<const SharedBuffer*>& instants) {
        pictures.open_shutter(frame, static_cast<int>(instants.size()));
        for (const SharedBuffer* each : instants) pictures.add_instant(*each, pose, settings);
        pictures.draw(bodies, frame, pose, settings);
        return pictures.take()->deep->light;
    };
    pictures.draw(bodies, frame, pose, settings);
    const std::vector<float> sharp = pictures.take()->deep->light, half = light({&bodies, &none}),
                             same = light({&bodies, &bodies, &bodies});
    for (std::size_t i = 3; i < sharp.size(); i += 5) {
        ASSERT_NEAR(half[i], 0.5f * sharp[i], 1e-5f);
        ASSERT_NEAR(same[i], sharp[i], 1e-5f * (1 + sharp[i]));
        if (sharp[i] > 0) {
            ASSERT_NEAR(half[i + 1], sharp[i + 1], 1e-3f * sharp[i + 1]) << "the same mean depth";
        }
    }
    pictures.draw(bodies, frame, pose, settings);
    EXPECT_EQ(pictures.take()->deep->light, sharp) << "the shutter is closed again";
}

TEST_F(Blur, StereoIsRefused) {
    PictureMaker pictures{gl, {kBlurWidth, kBlurHeight, 1, Lens::kStereo}, 60};
    EXPECT_THROW(pictures.open_shutter(cloud(10), 4), Error);
}

/// Vectors of all pixels between two states.
class MotionVectors : public Blur {
protected:
    struct Way {
        double right, up;
    };
    std::vector<Way> ways(const Frame& from, const Frame& to, const CameraPose& then, int supersampling = 1) const {
        PictureMaker pictures = maker(supersampling);
        SharedBuffer a, b;
        a.upload(from), b.upload(to);
        pictures.move_to(b, then);
        pictures.draw(a, from, pose, settings);
        const SharedImage image = pictures.take();
        std::vector<Way> all;
        for (std::size_t i = 0; i < image->deep->motion.size(); i += 2)
            all.push_back(
                {static_cast<double>(image->deep->motion[i]), static_cast<double>(image->deep->motion[i + 1])});
        EXPECT_EQ(all.size(), std::size_t{kBlurWidth} * kBlurHeight);
        return all;
    }
    /// The pixel at this distance from the middle.
    static std::size_t pixel(double right, double up) {
        return static_cast<std::size_t>(kBlurHeight / 2.0 - up) * kBlurWidth +
               static_cast<std::size_t>(kBlurWidth / 2.0 + right);
    }
};

TEST_F(MotionVectors, AreTheWayOfTheBody) {
    const Frame from = frame_of({at(-30.5, 20), at(40.5, -10)}), to = frame_of({at(-18.25, 27.5), at(40.5, -30)});
    for (const DrawMode mode : {DrawMode::kSplat, DrawMode::kPoints, DrawMode::kSmoothed})
        for (const int supersampling : {1, 2}) {
            settings.mode = mode;
            const std::vector<Way> all = ways(from, to, pose, supersampling);
            const Way first = all[pixel(-30.5, 20)], second = all[pixel(40.5, -10)];
            EXPECT_NEAR(first.right, 12.25, 1e-3);
            EXPECT_NEAR(first.up, 7.5, 1e-3);
            EXPECT_NEAR(second.right, 0, 1e-3);
            EXPECT_NEAR(second.up, -20, 1e-3);
            if (mode == DrawMode::kSmoothed) continue;
            std::size_t moved = 0;
            for (const Way& way : all) moved += way.right != 0 || way.up != 0 ? 1 : 0;
            EXPECT_EQ(moved == 2, mode == DrawMode::kSplat) << moved;
            EXPECT_LT(moved, 1000u) << "elsewhere there is no body";
        }
}

TEST_F(MotionVectors, FollowTheNearestBody) {
    settings.mode = DrawMode::kSplat;
    const double nearer = 0.4 * pose.distance;
    for (const bool first : {true, false}) {
        std::vector<Vec4f> from{at(0.5, 0), at(0.5, 0, nearer)}, to{at(30, 0), at(0.5, 15, nearer)};
        if (first) std::swap(from[0], from[1]), std::swap(to[0], to[1]);
        const Way way = ways(frame_of(from), frame_of(to), pose)[pixel(0.5, 0)];
        EXPECT_NEAR(way.right, 0, 1e-3);
        EXPECT_NEAR(way.up, 15, 1e-3);
    }
}

TEST_F(MotionVectors, IncludeTheMotionOfTheCamera) {
    settings.mode = DrawMode::kSplat;
    const std::vector<std::pair<double, double>> places{{-60.5, 30}, {0.5, 0}, {70.5, -50}, {10.5, 44}};
    std::vector<Vec4f> bodies;
    for (const auto& [right, up] : places) bodies.push_back(at(right, up, 0.3 * pose.distance * right / 70));
    const Frame frame = frame_of(bodies);
    CameraPose then = pose;
    then.yaw += 0.02, then.pitch -= 0.01, then.target.z += 0.05, then.distance *= 1.02;
    const std::vector<Way> all = ways(frame, frame, then);
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        const glm::dvec3 p{bodies[i].x, bodies[i].y, bodies[i].z};
        const auto now = OrbitCamera{pose}.project(p, kBlurWidth, kBlurHeight),
                   later = OrbitCamera{then}.project(p, kBlurWidth, kBlurHeight);
        const Way way = all[static_cast<std::size_t>(now->y) * kBlurWidth + static_cast<std::size_t>(now->x)];
        EXPECT_NEAR(way.right, later->x - now->x, 2e-3) << i;
        EXPECT_NEAR(way.up, now->y - later->y, 2e-3) << i;
        EXPECT_GT(std::hypot(way.right, way.up), 1);
    }
}

}  // namespace
}  // namespace orrery::test
