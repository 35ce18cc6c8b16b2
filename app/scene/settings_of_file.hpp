// SPDX-License-Identifier: MIT
#pragma once
#include <span>

#include "app/scene/scene_file.hpp"
#include "core/settings/setting.hpp"

namespace orrery {

/// Settings of a scene file outside its parts: texts, speed, and what the window shows.
std::span<const Setting<SceneFile>> scene_file_settings();

}  // namespace orrery
