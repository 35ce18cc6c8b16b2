// SPDX-License-Identifier: MIT
#pragma once
#include <span>

#include "app/picture/compare_view.hpp"
#include "core/settings/setting.hpp"

namespace orrery {

using CompareViewSetting = Setting<CompareView>;

std::span<const CompareViewSetting> compare_view_settings();

}  // namespace orrery
