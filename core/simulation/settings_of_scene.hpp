// SPDX-License-Identifier: MIT
#pragma once
#include <span>

#include "core/settings/setting_member.hpp"
#include "core/simulation/scene_request.hpp"

namespace orrery {

using SceneSetting = Setting<SceneRequest>;

/// Those of a SceneRequest that stand for themselves: what a source is and how long a step is depends on the scene.
/// Without a value the scene's own counts, except for the seed.
std::span<const SceneSetting> scene_settings();

}  // namespace orrery
