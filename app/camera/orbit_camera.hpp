// SPDX-License-Identifier: MIT
#pragma once
#include <optional>

#include <glm/mat4x4.hpp>
#include <glm/vec2.hpp>
#include <glm/vec3.hpp>

#include "core/bodies/frame.hpp"

namespace orrery {

/// Pose of the camera. A bookmark is such a value.
struct CameraPose {
    glm::dvec3 target{0};    ///< target, in the scene's unit of length
    double distance = 5;     ///< from the target, > 0
    double yaw = 0.6;        ///< radians about z, from +x
    double pitch = 0.5;      ///< radians above the x-y plane, -π/2 to π/2
    double fov = 0.7853982;  ///< vertical, radians
    friend bool operator==(const CameraPose&, const CameraPose&) = default;
};

enum class Transition { kAtOnce, kSmooth };

/// Orbits a point, with z up. A value: copy it to save it. Nothing moves by itself except in advance().
class OrbitCamera {
public:
    OrbitCamera() = default;
    explicit OrbitCamera(const CameraPose& pose) : now_{pose}, goal_{pose} {}

    /// The same camera with the target off the centre of the picture, as with a shifted lens: `right` half widths to
    /// the right of the centre and `up` half heights above it. Sizes and directions are unchanged.
    OrbitCamera shifted(double right, double up) const;
    glm::dvec2 shift() const noexcept { return shift_; }

    const CameraPose& pose() const noexcept { return now_; }
    glm::dvec3 eye() const;
    /// Unit vectors in space: to the right and up in the picture, and from the target to the eye.
    glm::dvec3 right() const;
    glm::dvec3 up() const;
    glm::dvec3 back() const;

    /// Rotates by these angles (radians) at once, and records the angular velocity; call it for each movement while
    /// dragging.
    void drag(double yaw, double pitch);
    /// Looks around: the eye stays, and the target moves around it.
    void look(double yaw, double pitch);
    /// The button is released: the camera keeps rotating at the last angular velocity, which decays to 1/e in 0.35 s.
    void release();
    /// Pans: moves the target in the picture plane, so that it follows the mouse; in units of the picture height.
    void pan(double right, double up);
    /// Moves the current and the final target: for following moving bodies.
    void translate(const glm::dvec3& by) { now_.target += by, goal_.target += by; }
    /// Zooms in by 12 % per notch of the wheel, smoothly; negative notches zoom out.
    void dolly(double notches);
    /// Zooms towards the point that is `right` picture heights to the right of the target and `up` above it: that
    /// point, at the target's distance, stays in place.
    void dolly_towards(double notches, double right, double up);
    void set_fov(double radians);  ///< vertical, 5° to 120°; at once

    /// Fills the picture with the extent, keeping the direction. `aspect` is width / height; if part of the picture is
    /// covered, the shorter side of the free area / height.
    void fit(const FrameExtent& extent, double aspect, Transition transition);
    void go_to(const CameraPose& pose, Transition transition);

    /// Advances time. Many short steps give the same result as one long step.
    void advance(double seconds);
    bool moving() const;

    glm::dmat4 view() const;
    /// OpenGL's clip space. Far is at infinity and near at a 10 000th of the distance: nothing of a scene is clipped.
    glm::dmat4 projection(double aspect) const;
    /// Pixels per unit of length at this distance along the view direction.
    double pixels_per_length(double depth, double height) const;
    /// Position of a point in a picture of this size, in pixels from the upper left; empty if it is behind the eye.
    std::optional<glm::dvec2> project(const glm::dvec3& point, double width, double height) const;

private:
    CameraPose now_, goal_;
    double yaw_speed_ = 0, pitch_speed_ = 0;  // radians per second
    double yaw_dragged_ = 0, pitch_dragged_ = 0;
    bool held_ = false;
    glm::dvec2 shift_{0};  // of the target in the picture, in half widths and half heights
};

/// OrbitCamera::project() for many points: everything that depends on the camera alone is computed once.
class Projector {
public:
    Projector(const OrbitCamera& camera, double width, double height);
    /// Position of a point in pixels from the upper left; empty if it is not beyond the near plane of projection().
    std::optional<glm::dvec2> operator()(const glm::dvec3& point) const;

private:
    glm::dvec3 eye_, right_, up_, back_;
    glm::dvec2 centre_;
    double nearest_, height_, half_height_;
};

/// Viewing direction at the centre of the picture, away from the eye.
inline Vec3d sight_line_of(const OrbitCamera& camera) {
    const glm::dvec3 back = camera.back();
    return {-back.x, -back.y, -back.z};
}

/// Flies a camera through the bodies: keys set the target velocity, which the camera approaches smoothly.
class Flight {
public:
    static constexpr double kSlowest = 1e-6, kFastest = 1e6;  ///< distances per second
    static constexpr double kStandard = 0.5;

    /// In distances from the camera to its target per second, so that it suits scenes of any size.
    double speed() const { return speed_; }
    void set_speed(double speed);
    void faster(double notches);  ///< of the wheel: 25 % each
    void stop() { velocity_ = {}; }
    bool moving() const { return velocity_ != glm::dvec3{0}; }

    /// `direction`: to the right, up in the picture and forward, each −1 to 1.
    void advance(OrbitCamera& camera, const glm::dvec3& direction, double seconds);

private:
    double speed_ = kStandard;
    glm::dvec3 velocity_{0};  // in units of the speed, along right, up, forward
};

}  // namespace orrery
