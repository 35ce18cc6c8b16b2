// SPDX-License-Identifier: MIT
#pragma once
#include <span>

#include "app/record/record_settings.hpp"
#include "core/settings/setting.hpp"

namespace orrery {

using RecordSetting = Setting<RecordSettings>;

/// All of RecordSettings, in the order of scene files.
std::span<const RecordSetting> record_settings();

}  // namespace orrery
