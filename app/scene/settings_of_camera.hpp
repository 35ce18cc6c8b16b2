// SPDX-License-Identifier: MIT
#pragma once
#include <span>

#include "app/scene/scene_file.hpp"
#include "core/settings/setting.hpp"

namespace orrery {

using CameraSetting = Setting<CameraSettings>;

/// CameraSettings except target, bookmarks and keyframes, which are vectors and lists; in the order of scene files.
std::span<const CameraSetting> camera_settings();

}  // namespace orrery
