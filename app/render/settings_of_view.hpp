// SPDX-License-Identifier: MIT
#pragma once
#include <span>

#include "app/render/view_settings.hpp"
#include "core/settings/setting.hpp"

namespace orrery {

using ViewSetting = Setting<ViewSettings>;

/// All of ViewSettings except scalar_range, a pair of numbers, in the order of scene files.
std::span<const ViewSetting> view_settings();

}  // namespace orrery
