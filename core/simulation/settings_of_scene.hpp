// SPDX-License-Identifier: MIT
#pragma once
#include <span>

#include "core/settings/setting_member.hpp"
#include "core/simulation/scene_request.hpp"

namespace orrery {

using SceneSetting = Setting<SceneRequest>;

/// The settings of SceneRequest that are independent of the scene; source and step length are not. Unset values default
/// to the scene's own, except for the seed.
std::span<const SceneSetting> scene_settings();

}  // namespace orrery
