// SPDX-License-Identifier: MIT
#include "app/render/stars_pass.hpp"

#include <algorithm>
#include <cmath>

#include "core/base/random.hpp"

namespace orrery {
namespace {

constexpr double kNearest2 = kFaintest;  // square of the distance of the nearest star over that of the farthest

/// Uniform in a sphere of radius 1, except where a star would be too bright. Uses rejection, without functions that
/// differ between mathematics libraries.
Vec3d star_place(Random& random) {
    for (;;) {
        const double x = random.uniform(-1, 1), y = random.uniform(-1, 1), z = random.uniform(-1, 1);
        const double r2 = x * x + y * y + z * z;
        if (r2 >= kNearest2 && r2 <= 1) return {x, y, z};
    }
}

float mixed(double a, double b, double share) { return static_cast<float>(a + (b - a) * share); }

/// Warm at 0, white at 0.5, bluish at 1; paler than real stars, as the eye perceives them.
Vec3f star_color(double at) {
    if (at < 0.5) return {1, mixed(0.76, 1, 2 * at), mixed(0.55, 1, 2 * at)};
    const double share = 2 * at - 1;
    return {mixed(1, 0.68, share), mixed(1, 0.80, share), 1};
}

constexpr double kRows = 720;                      // frame height to which the next two refer
constexpr double kSigma = 0.6, kLeastSigma = 0.5;  // of a star's disc, in pixels
constexpr double kBrightest = 0.6;                 // light of the brightest star over that of a body, chosen by eye

}  // namespace

std::vector<Star> sky(std::uint64_t seed) {
    Random random{seed};
    std::vector<Star> stars;
    stars.reserve(kSkyStars);
    for (std::size_t i = 0; i < kSkyStars; ++i) {
        const Vec3d p = star_place(random);
        const double r2 = p.x * p.x + p.y * p.y + p.z * p.z, r = std::sqrt(r2);
        stars.push_back({{static_cast<float>(p.x / r), static_cast<float>(p.y / r), static_cast<float>(p.z / r)},
                         static_cast<float>(kNearest2 / r2),
                         star_color((random.uniform() + random.uniform()) / 2),
                         0});
    }
    return stars;
}

void StarsPass::load(int seed) {
    if (seed_ == seed) return;
    const auto stars = sky(static_cast<std::uint64_t>(seed));
    const std::size_t bytes = stars.size() * sizeof(Star);
    if (stars_.bytes() != bytes) stars_ = GlBuffer{bytes, GL_DYNAMIC_STORAGE_BIT};
    stars_.write(stars.data(), bytes);
    seed_ = seed;
}

void StarsPass::add_light(const StarView& view, int width, int height) {
    load(std::clamp(view.seed, 0, StarView::kMostSeed));
    if (light_.width() != width || light_.height() != height)
        light_ = Canvas{GL_RGBA16F, width, height, Filter::kNearest};
    light_.clear();
    const AdditiveDrawing adding{light_};
    glBindVertexArray(nothing_.name());
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 2, stars_.name());
    const double scale = height / kRows;
    glProgramUniform2f(add_.name(), 0, static_cast<float>(std::max(kLeastSigma, kSigma * scale)),
                       static_cast<float>(kBrightest * std::clamp(view.light, 0.0f, 4.0f) * scale * scale));
    glEnable(GL_PROGRAM_POINT_SIZE);
    add_.use();
    glDrawArrays(GL_POINTS, 0, static_cast<GLsizei>(kSkyStars));
    glDisable(GL_PROGRAM_POINT_SIZE);
}

}  // namespace orrery
