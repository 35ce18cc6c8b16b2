// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <cstddef>
#include <optional>

#include "app/camera/camera_path.hpp"
#include "app/camera/flight.hpp"
#include "app/camera/orbit_camera.hpp"

namespace orrery {

enum class CameraMode {
    kOrbit,  ///< orbits its target
    kFly,    ///< moves by keys, looks around with the mouse
};

/// The target that the camera follows.
enum class Follow {
    kNothing,
    kMiddle,        ///< the median of the bodies: the densest part, even if some bodies escape
    kCentreOfMass,  ///< Σ m x / Σ m
    kPicked,        ///< the picked body, or the centre of mass of the selected bodies
};

inline constexpr int kCameraPlaces = 8;

/// All camera settings of the user. A value, used directly by scene files and panels.
struct CameraState {
    CameraMode mode = CameraMode::kOrbit;
    Follow follow = Follow::kNothing;
    double fly_speed = Flight::kStandard;                         ///< distances from the target per second
    double fov = CameraPose{}.fov;                                ///< vertical, radians
    std::array<std::optional<CameraPose>, kCameraPlaces> places;  ///< F1 to F8
    CameraPath path;
    double path_time = 0;  ///< current time on the path, seconds
    bool playing = false;
    std::optional<std::size_t> key;  ///< of the path, selected for editing
    friend bool operator==(const CameraState&, const CameraState&) = default;
};

}  // namespace orrery
