// SPDX-License-Identifier: MIT
#include "app/render/brightness.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <glm/geometric.hpp>

namespace orrery {
namespace {

// Chosen by eye, with Plummer spheres of 3 to 1 000 000 bodies and colliding discs.
constexpr double kCoreContrast = 40;                      // density of a white galaxy centre relative to the mean
constexpr double kLargestPoint = 24, kSmallestPoint = 3;  // pixels in a frame of 720 rows

double point_diameter(std::size_t bodies, double scale, double size) {
    const double wish = 28 * std::pow(static_cast<double>(std::max<std::size_t>(bodies, 1)), -0.22);
    return std::max(scale * size * std::clamp(wish, kSmallestPoint, kLargestPoint), kSmallestPoint);
}

}  // namespace

double picture_scale(int height, double content_scale) { return std::max({1.0, height / 720.0, content_scale}); }

Brightness brightness(std::size_t bodies, const FrameExtent& extent, const OrbitCamera& camera, int height,
                      DrawMode mode, const ViewSettings& settings, double scale) {
    const double size = std::clamp(static_cast<double>(settings.size), 0.05, 50.0);
    // A pixel of a larger frame is a smaller part of it, and `splat` draws a body into one pixel, which must be
    // brighter.
    Brightness b{size * size * scale * scale, kLoneWhite, point_diameter(bodies, scale, size)};
    if (mode == DrawMode::kPoints) {
        const double sigma = b.point_diameter / 6;  // as in points.frag
        const double peak = bodies < 100 ? 3 : 1.5;
        b.light = peak * 2 * std::numbers::pi * sigma * sigma;
    }
    if (settings.white) {
        b.white = std::clamp(*settings.white, 1e-6, 1e12);
        return b;
    }
    const double away = glm::length(camera.eye() - glm::dvec3{extent.centre.x, extent.centre.y, extent.centre.z});
    const double depth = std::max({away, extent.radius / 2, 1e-300});
    const double radius = std::max(extent.radius * camera.pixels_per_length(depth, height), 1.0);
    const double per_pixel = 0.9 * static_cast<double>(bodies) / (std::numbers::pi * radius * radius);
    b.white += kCoreContrast * per_pixel * b.light;
    return b;
}

}  // namespace orrery
