// SPDX-License-Identifier: MIT
#pragma once
#include <span>

#include "core/analysis/analysis_settings.hpp"
#include "core/settings/setting.hpp"

namespace orrery {

/// All settings except the kind, in the order of the panel.
std::span<const Setting<AnalysisSettings>> analysis_settings();
/// True if the selected kind reads the setting with this id.
bool reads(const AnalysisSettings& settings, std::string_view id);

}  // namespace orrery
