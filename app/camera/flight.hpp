// SPDX-License-Identifier: MIT
#pragma once
#include <glm/vec3.hpp>

#include "app/camera/orbit_camera.hpp"

namespace orrery {

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
