// SPDX-License-Identifier: MIT
#pragma once
#include <filesystem>
#include <numbers>
#include <string>
#include <string_view>

#include "app/camera/camera_state.hpp"

namespace orrery {

/// Radians. Files give angles of the camera in degrees.
inline constexpr double kCameraDegree = std::numbers::pi / 180;

/// Reads a camera path from a table: a header with the names time (seconds), target_x, target_y, target_z, distance,
/// yaw, pitch, fov (degrees) in any order, then a row per keyframe. Missing columns take the defaults of CameraPose;
/// time is required. `name` is for messages. Throws Error{kUsage} naming line and column.
CameraPath parse_camera_path(std::string_view name, std::string_view text);
/// Reads a file. Throws like parse_camera_path(), and also if the file cannot be read.
CameraPath read_camera_path(const std::filesystem::path& path);

}  // namespace orrery
