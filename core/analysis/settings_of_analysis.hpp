// SPDX-License-Identifier: MIT
#pragma once
#include <span>

#include "core/analysis/analysis_settings.hpp"
#include "core/settings/setting_member.hpp"

namespace orrery {

/// All of AnalysisSettings but the kind, in the order of the panel.
std::span<const Setting<AnalysisSettings>> analysis_settings();
/// Whether the kind that is chosen reads this one.
bool reads(const AnalysisSettings& settings, std::string_view id);

}  // namespace orrery
