// SPDX-License-Identifier: MIT
#include "app/camera/flight.hpp"

#include <algorithm>
#include <cmath>

#include <glm/geometric.hpp>

namespace orrery {
namespace {

constexpr double kEase = 0.1;     // s, time constant with which the velocity approaches the goal
constexpr double kNotch = 1.25;   // speed per notch of the wheel
constexpr double kAtRest = 1e-4;  // of the speed

}  // namespace

void Flight::set_speed(double speed) { speed_ = std::clamp(speed, kSlowest, kFastest); }

void Flight::faster(double notches) { set_speed(speed_ * std::pow(kNotch, notches)); }

void Flight::advance(OrbitCamera& camera, const glm::dvec3& direction, double seconds) {
    if (!(seconds > 0)) return;
    const double length = glm::length(direction);
    const glm::dvec3 goal = length > 1 ? direction / length : direction;  // no faster diagonally
    const double keep = std::exp(-seconds / kEase);
    // The displacement is the integral of the easing velocity, so it is the same at any frame rate.
    const glm::dvec3 shift = goal * seconds + (velocity_ - goal) * (kEase * (1 - keep));
    velocity_ = goal + keep * (velocity_ - goal);
    if (length == 0 && glm::length(velocity_) < kAtRest) velocity_ = {};
    const double reach = speed_ * camera.pose().distance;
    camera.translate(reach * (shift.x * camera.right() + shift.y * camera.up() - shift.z * camera.back()));
}

}  // namespace orrery
