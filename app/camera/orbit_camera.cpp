// SPDX-License-Identifier: MIT
#include "app/camera/orbit_camera.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <glm/geometric.hpp>

namespace orrery {
namespace {

constexpr double kTurnDecay = 0.35;    // s, of the angular speed after release
constexpr double kOrbitEase = 0.12;    // s, time constant of the approach to the goal
constexpr double kSpeedMemory = 0.04;  // s, averaging time of the mouse's speed
constexpr double kOrbitNotch = 0.88;   // distance per notch of the wheel
constexpr double kFill = 1.05;         // the sphere of an extent touches neither edge
constexpr double kNearest = 1e-12, kFarthest = 1e30;
constexpr double kNarrowest = std::numbers::pi / 36, kWidest = std::numbers::pi * 2 / 3;  // radians
constexpr double kRightAngle = std::numbers::pi / 2;

struct Basis {
    glm::dvec3 right, up, back;
};

// From the angles, not from a cross product with z: looking straight down is not a special case.
Basis basis(const CameraPose& pose) {
    const double cy = std::cos(pose.yaw), sy = std::sin(pose.yaw), cp = std::cos(pose.pitch), sp = std::sin(pose.pitch);
    return {{-sy, cy, 0}, {-sp * cy, -sp * sy, cp}, {cp * cy, cp * sy, sp}};
}

double clamp_pitch(double pitch) { return std::clamp(pitch, -kRightAngle, kRightAngle); }

/// Fraction of the distance left after `seconds` of exponential approach.
double left_after(double seconds, double time_constant) { return std::exp(-seconds / time_constant); }

constexpr double kEase = 0.1;     // s, time constant with which the velocity approaches the goal
constexpr double kNotch = 1.25;   // speed per notch of the wheel
constexpr double kAtRest = 1e-4;  // of the speed

}  // namespace

glm::dvec3 OrbitCamera::eye() const { return now_.target + now_.distance * back(); }
glm::dvec3 OrbitCamera::right() const { return basis(now_).right; }
glm::dvec3 OrbitCamera::up() const { return basis(now_).up; }
glm::dvec3 OrbitCamera::back() const { return basis(now_).back; }

void OrbitCamera::drag(double yaw, double pitch) {
    held_ = true;
    now_.yaw += yaw;
    now_.pitch = clamp_pitch(now_.pitch + pitch);
    goal_.yaw = now_.yaw;  // dragging ends the rotation of a transition
    goal_.pitch = now_.pitch;
    yaw_dragged_ += yaw;
    pitch_dragged_ += pitch;
}

void OrbitCamera::look(double yaw, double pitch) {
    const glm::dvec3 at = eye();
    now_.yaw += yaw;
    now_.pitch = clamp_pitch(now_.pitch + pitch);
    now_.target = at - now_.distance * back();
    goal_ = now_;  // ends a transition
    yaw_speed_ = pitch_speed_ = 0;
}

void OrbitCamera::release() { held_ = false; }

void OrbitCamera::pan(double right, double up) {
    const double height = 2 * now_.distance * std::tan(now_.fov / 2);
    const Basis b = basis(now_);
    const glm::dvec3 shift = -height * (right * b.right + up * b.up);
    now_.target += shift;
    goal_.target += shift;
}

void OrbitCamera::dolly(double notches) {
    goal_.distance = std::clamp(goal_.distance * std::pow(kOrbitNotch, notches), kNearest, kFarthest);
}

void OrbitCamera::dolly_towards(double notches, double right, double up) {
    const double before = goal_.distance;
    dolly(notches);
    const double height = 2 * (before - goal_.distance) * std::tan(goal_.fov / 2);
    const Basis b = basis(goal_);
    goal_.target += height * (right * b.right + up * b.up);
}

void OrbitCamera::set_fov(double radians) { now_.fov = goal_.fov = std::clamp(radians, kNarrowest, kWidest); }

void OrbitCamera::fit(const FrameExtent& extent, double aspect, Transition transition) {
    CameraPose pose = goal_;
    pose.target = {extent.centre.x, extent.centre.y, extent.centre.z};
    const double half_fov = std::atan(std::tan(pose.fov / 2) * std::min(1.0, aspect));
    const double radius = extent.radius > 0 ? extent.radius : 1;
    pose.distance = std::clamp(kFill * radius / std::sin(half_fov), kNearest, kFarthest);
    go_to(pose, transition);
}

void OrbitCamera::go_to(const CameraPose& pose, Transition transition) {
    goal_ = pose;
    goal_.pitch = clamp_pitch(pose.pitch);
    yaw_speed_ = pitch_speed_ = 0;
    yaw_dragged_ = pitch_dragged_ = 0;
    // Take the short way round.
    now_.yaw = goal_.yaw + std::remainder(now_.yaw - goal_.yaw, 2 * std::numbers::pi);
    if (transition == Transition::kAtOnce) now_ = goal_;
}

void OrbitCamera::advance(double seconds) {
    if (!(seconds > 0)) return;
    if (held_) {
        const double keep = left_after(seconds, kSpeedMemory);
        yaw_speed_ = keep * yaw_speed_ + (1 - keep) * yaw_dragged_ / seconds;
        pitch_speed_ = keep * pitch_speed_ + (1 - keep) * pitch_dragged_ / seconds;
    } else {
        const double keep = left_after(seconds, kTurnDecay);
        const double reach = kTurnDecay * (1 - keep);  // the integral of the decaying speed
        now_.yaw += yaw_speed_ * reach, goal_.yaw += yaw_speed_ * reach;
        now_.pitch = clamp_pitch(now_.pitch + pitch_speed_ * reach);
        goal_.pitch = clamp_pitch(goal_.pitch + pitch_speed_ * reach);
        yaw_speed_ *= keep;
        pitch_speed_ *= keep;
        if (std::hypot(yaw_speed_, pitch_speed_) < 1e-4) yaw_speed_ = pitch_speed_ = 0;
    }
    yaw_dragged_ = pitch_dragged_ = 0;
    const double keep = left_after(seconds, kOrbitEase);
    now_.target = goal_.target + keep * (now_.target - goal_.target);
    now_.distance = goal_.distance * std::pow(now_.distance / goal_.distance, keep);
    now_.yaw = goal_.yaw + keep * (now_.yaw - goal_.yaw);
    now_.pitch = goal_.pitch + keep * (now_.pitch - goal_.pitch);
    now_.fov = goal_.fov + keep * (now_.fov - goal_.fov);
    if (!moving()) now_ = goal_;
}

bool OrbitCamera::moving() const {
    constexpr double kSeen = 1e-5;  // of the picture's height
    return yaw_speed_ != 0 || pitch_speed_ != 0 || glm::length(now_.target - goal_.target) > kSeen * now_.distance ||
           std::abs(std::log(now_.distance / goal_.distance)) > kSeen || std::abs(now_.yaw - goal_.yaw) > kSeen ||
           std::abs(now_.pitch - goal_.pitch) > kSeen || std::abs(now_.fov - goal_.fov) > kSeen;
}

OrbitCamera OrbitCamera::shifted(double right, double up) const {
    OrbitCamera other = *this;
    other.shift_ = {right, up};
    return other;
}

glm::dmat4 OrbitCamera::view() const {
    const Basis b = basis(now_);
    const glm::dvec3 at = eye();
    return {glm::dvec4{b.right.x, b.up.x, b.back.x, 0}, glm::dvec4{b.right.y, b.up.y, b.back.y, 0},
            glm::dvec4{b.right.z, b.up.z, b.back.z, 0},
            glm::dvec4{-glm::dot(b.right, at), -glm::dot(b.up, at), -glm::dot(b.back, at), 1}};
}

glm::dmat4 OrbitCamera::projection(double aspect) const {
    const double focal = 1 / std::tan(now_.fov / 2);
    const double nearest = 1e-4 * now_.distance;
    // The standard matrix with the far plane at infinity.
    glm::dmat4 matrix{0};
    matrix[0][0] = focal / aspect;
    matrix[1][1] = focal;
    matrix[2][2] = -1;
    matrix[2][3] = -1;
    matrix[3][2] = -2 * nearest;
    matrix[2][0] = -shift_.x;  // times −z, which cancels in the division by w
    matrix[2][1] = -shift_.y;
    return matrix;
}

double OrbitCamera::pixels_per_length(double depth, double height) const {
    return height / (2 * depth * std::tan(now_.fov / 2));
}

Projector::Projector(const OrbitCamera& camera, double width, double height)
    : eye_{camera.eye()},
      right_{camera.right()},
      up_{camera.up()},
      back_{camera.back()},
      centre_{width / 2 * (1 + camera.shift().x), height / 2 * (1 - camera.shift().y)},
      nearest_{1e-4 * camera.pose().distance},
      height_{height},
      half_height_{std::tan(camera.pose().fov / 2)} {}

std::optional<glm::dvec2> Projector::operator()(const glm::dvec3& point) const {
    const glm::dvec3 seen = point - eye_;
    const double depth = -glm::dot(seen, back_);
    if (!(depth > nearest_)) return std::nullopt;
    const double scale = height_ / (2 * depth * half_height_);
    return glm::dvec2{centre_.x + scale * glm::dot(seen, right_), centre_.y - scale * glm::dot(seen, up_)};
}

std::optional<glm::dvec2> OrbitCamera::project(const glm::dvec3& point, double width, double height) const {
    return Projector{*this, width, height}(point);
}

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
