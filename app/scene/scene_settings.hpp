// SPDX-License-Identifier: MIT
#pragma once
#include <span>

#include "app/scene/scene_file.hpp"
#include "core/settings/setting.hpp"

namespace orrery {

using CameraSetting = Setting<CameraSettings>;

/// CameraSettings except target, bookmarks and keyframes, which are vectors and lists; in the order of scene files.
std::span<const CameraSetting> camera_settings();

/// Settings of a scene file outside its parts: texts, speed, and what the window shows.
std::span<const Setting<SceneFile>> scene_file_settings();

/// Settings of simulation B besides those of its engine and view.
std::span<const Setting<CompareScene>> compare_scene_settings();

/// All of SeriesSettings except the patterns, which are a list; in the order of scene files.
std::span<const Setting<SeriesSettings>> series_settings();

}  // namespace orrery
