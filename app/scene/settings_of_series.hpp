// SPDX-License-Identifier: MIT
#pragma once
#include <span>

#include "app/scene/series_settings.hpp"
#include "core/settings/setting.hpp"

namespace orrery {

/// All of SeriesSettings except the patterns, which are a list; in the order of scene files.
std::span<const Setting<SeriesSettings>> series_settings();

}  // namespace orrery
