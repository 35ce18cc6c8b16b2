// SPDX-License-Identifier: MIT
#include "app/window/hand/predicted_path.hpp"

namespace orrery {
namespace {

constexpr int kPathSteps = 128;

Vec3d pull(std::span<const Vec4d> pulling, const Gravity& gravity, Vec3d at) {
    Vec4d sum{};
    if (gravity.law != PairLaw::kGravity && gravity.law != PairLaw::kSpline) return {};
    for (const Vec4d& other : pulling) add_acceleration(sum, at, other, gravity.softening * gravity.softening);
    return gravity.constant * xyz(sum);
}

}  // namespace

std::vector<Vec3d> predicted_path(std::span<const Vec4d> pulling, const Gravity& gravity, Vec3d position,
                                  Vec3d velocity, double duration) {
    const double dt = duration / kPathSteps;
    std::vector<Vec3d> path{position};
    Vec3d acceleration = pull(pulling, gravity, position);
    for (int i = 0; i < kPathSteps; ++i) {
        velocity = velocity + 0.5 * dt * acceleration;
        position = position + dt * velocity;
        acceleration = pull(pulling, gravity, position);
        velocity = velocity + 0.5 * dt * acceleration;
        path.push_back(position);
    }
    return path;
}

}  // namespace orrery
