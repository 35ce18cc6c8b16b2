// SPDX-License-Identifier: MIT
#pragma once
#include <span>

#include "core/engines/engine.hpp"
#include "core/engines/menu.hpp"
#include "core/settings/setting_member.hpp"

namespace orrery {

using EngineSetting = Setting<EngineConfig>;

// What only some engines have: those whose EngineEntry::settings names it. Settings without a group are of all engines.
inline constexpr SettingGroup kTileGroup{.label = "Tile", .of = "tiled engines", .replaced_whole = true};
inline constexpr SettingGroup kMapGroup{.label = "Thread map", .of = "engines that walk a thread map"};
inline constexpr SettingGroup kTreeGroup{.label = "Tree", .of = "tree engines", .replaced_whole = true};

/// All of an EngineConfig, in the order of files, columns and panels.
std::span<const EngineSetting> engine_settings();

/// What a person gets who asks for nothing: all as in an EngineConfig, and accuracies are kept. Files are read into an
/// EngineConfig, so that what earlier versions wrote gives what it gave then.
EngineConfig usual_engine();

/// Whether this engine has that setting. Those without a group are of all engines.
bool reads(const EngineEntry& entry, const SettingInfo& info);

/// Throws Error{kUsage} for the first setting of this group that is out of its range.
void require_accepted(const SettingGroup& group, const EngineConfig& config);

}  // namespace orrery
