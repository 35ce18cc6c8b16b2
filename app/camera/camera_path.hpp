// SPDX-License-Identifier: MIT
#pragma once
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

/// A camera's way through keyframes. A plain value: nothing moves by itself.
///
/// It passes each key exactly and its speed never jumps: cubic Hermite segments (C1). The target takes the tangents of
/// the non-uniform Catmull-Rom spline (Barry & Goldman 1988), knots at the keys' times. Angles, the field of view and
/// the logarithm of the distance take monotone ones (Fritsch & Butland 1984), so they never leave the interval of their
/// two keys: the horizon stays level, a pitch stays below the zenith, and what two keys hold stands still. A path that
/// is not a loop begins and ends at rest.
struct CameraPath {
    std::vector<CameraKey> keys;  ///< times ascend
    bool loop = false;            ///< goes on from the last key to the first, for ever
    double closing = 2;           ///< seconds of that way, > 0; only of a loop

    bool empty() const { return keys.empty(); }
    /// Seconds from the first key to the last; of a loop, one round. 0 for fewer than two keys.
    double duration() const;
    /// The pose at this time; before the first and after the last key it stands still. Not for an empty path.
    /// Yaws are taken as they are written: from 0 to 2π is a whole turn. A loop closes the short way.
    CameraPose evaluate(double seconds) const;

    /// Puts a key at this time, in place of one that is there, turned the short way from the key before. Returns its
    /// place. Throws Error{kUsage} for a time below 0 or not finite.
    std::size_t add(double seconds, const CameraPose& pose);
    /// Moves a key to another time, past others if need be; returns its new place. Throws like add().
    std::size_t move(std::size_t key, double seconds);
    void erase(std::size_t key);

    /// In one line, why this is no path: times that do not ascend, a distance of 0, numbers that are not finite.
    std::optional<std::string> problem() const;

    friend bool operator==(const CameraPath&, const CameraPath&) = default;
};

}  // namespace orrery
