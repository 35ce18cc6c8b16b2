// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "app/camera/orbit_camera.hpp"

namespace orrery {

struct CameraKey {
    double time = 0;  ///< seconds of playing, from the start of the path
    CameraPose pose;
    friend bool operator==(const CameraKey&, const CameraKey&) = default;
};

/// A camera path through keyframes. A plain value: nothing moves by itself.
///
/// It passes each key exactly and with continuous velocity: cubic Hermite segments (C1). The target takes the tangents
/// of the non-uniform Catmull-Rom spline (Barry & Goldman 1988), knots at the keys' times. Angles, the field of view
/// and the logarithm of the distance take monotone ones (Fritsch & Butland 1984), so they never leave the interval of
/// their two keys: the horizon stays level, the pitch stays below the zenith, and values equal in two keys stay
/// constant. A path that is not a loop begins and ends at rest.
struct CameraPath {
    std::vector<CameraKey> keys;  ///< times ascend
    bool loop = false;            ///< continues from the last key to the first, repeatedly
    double closing = 2;           ///< seconds from the last key to the first, > 0; only for a loop

    bool empty() const { return keys.empty(); }
    /// Seconds from the first key to the last; for a loop, one round. 0 for fewer than two keys.
    double duration() const;
    /// The pose at this time; constant before the first and after the last key. Not for an empty path. Yaws are
    /// interpolated as given: from 0 to 2π is a full turn. A loop closes the short way.
    CameraPose evaluate(double seconds) const;

    /// Adds a key at this time, replacing an existing one, with the yaw unwrapped to the short way from the previous
    /// key. Returns its index. Throws Error{kUsage} for a time below 0 or not finite.
    std::size_t add(double seconds, const CameraPose& pose);
    /// Moves a key to another time, past others if necessary; returns its new index. Throws like add().
    std::size_t move(std::size_t key, double seconds);
    void erase(std::size_t key);

    /// One line with the reason why this path is invalid: times that do not ascend, a distance of 0, non-finite
    /// numbers.
    std::optional<std::string> problem() const;

    friend bool operator==(const CameraPath&, const CameraPath&) = default;
};

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
