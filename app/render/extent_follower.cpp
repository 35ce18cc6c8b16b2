// SPDX-License-Identifier: MIT
#include "app/render/extent_follower.hpp"

#include <cmath>

namespace orrery {
namespace {

constexpr double kTime = 0.5;       // seconds
constexpr double kOtherScene = 20;  // times the radius: bodies never move so fast

bool of_another_scene(const FrameExtent& a, const FrameExtent& b) {
    const Vec3d apart = a.centre - b.centre;
    const double ratio = a.radius / b.radius;
    return !(ratio < kOtherScene && ratio > 1 / kOtherScene) ||
           std::sqrt(dot(apart, apart)) > kOtherScene * std::fmax(a.radius, b.radius);
}

}  // namespace

const FrameExtent& ExtentFollower::follow(const FrameExtent& extent, double seconds) {
    if (!begun_ || of_another_scene(seen_, extent)) {
        begun_ = true;
        return seen_ = extent;
    }
    const double part = 1 - std::exp(-seconds / kTime);
    const auto near = [part](double& value, double goal) { value += part * (goal - value); };
    near(seen_.centre.x, extent.centre.x), near(seen_.centre.y, extent.centre.y), near(seen_.centre.z, extent.centre.z);
    near(seen_.radius, extent.radius);
    if (seen_.color_by == extent.color_by) {
        near(seen_.scalar_low, extent.scalar_low), near(seen_.scalar_high, extent.scalar_high);
    } else {
        seen_.scalar_low = extent.scalar_low, seen_.scalar_high = extent.scalar_high;
        seen_.color_by = extent.color_by;
    }
    return seen_;
}

}  // namespace orrery
