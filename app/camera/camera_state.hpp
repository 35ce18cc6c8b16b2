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
    kOrbit,  ///< turns round its target
    kFly,    ///< moves by keys, looks by mouse
};

/// What the camera moves with.
enum class Follow {
    kNothing,
    kMiddle,      ///< the median of the bodies: the densest place, whatever flies off
    kMassCentre,  ///< Σ m x / Σ m
    kPicked,      ///< the picked body, or the mean of those that were selected
};

inline constexpr int kCameraPlaces = 8;

/// All that a person sets of the camera. A value; scene files and panels take it as it is.
struct CameraState {
    CameraMode mode = CameraMode::kOrbit;
    Follow follow = Follow::kNothing;
    double fly_speed = Flight::kStandard;                         ///< distances from the target per second
    double fov = CameraPose{}.fov;                                ///< vertical, radians
    std::array<std::optional<CameraPose>, kCameraPlaces> places;  ///< F1 to F8
    CameraPath path;
    double path_time = 0;  ///< where on the path playing goes on, seconds
    bool playing = false;
    std::optional<std::size_t> key;  ///< of the path, chosen for editing
    friend bool operator==(const CameraState&, const CameraState&) = default;
};

}  // namespace orrery
