// SPDX-License-Identifier: MIT
#pragma once
#include <span>

#include "app/scene/scene_file.hpp"
#include "core/settings/setting_member.hpp"

namespace orrery {

/// Those of a scene file that belong to none of its parts: its texts, the speed, what the window shows.
std::span<const Setting<SceneFile>> scene_file_settings();

}  // namespace orrery
