// SPDX-License-Identifier: MIT
#pragma once
#include <filesystem>
#include <numbers>
#include <string>
#include <string_view>

#include "app/camera/camera_path.hpp"

namespace orrery {

/// Radians. Files give angles of the camera in degrees.
inline constexpr double kCameraDegree = std::numbers::pi / 180;

/// A camera path as a table: a head with the names time (seconds), target_x, target_y, target_z, distance, yaw, pitch,
/// fov (degrees) in any order, then a row for each key. Columns that are missing have the values of CameraPose; time
/// must be there. `name` is for messages. Throws Error{kUsage} naming line and column of what is wrong.
CameraPath parse_camera_path(std::string_view name, std::string_view text);
/// Of a file. Throws likewise, also for a file that cannot be read.
CameraPath read_camera_path(const std::filesystem::path& path);

}  // namespace orrery
