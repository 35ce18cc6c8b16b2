// SPDX-License-Identifier: MIT
#pragma once
#include <span>

#include "core/engines/engine.hpp"
#include "core/engines/menu.hpp"
#include "core/settings/setting.hpp"

namespace orrery {

using EngineSetting = Setting<EngineConfig>;

// Settings that only engines with certain capabilities read. Settings without a group apply to all.
inline constexpr SettingGroup kTileGroup{.label = "Tile",
                                         .of = "tiled engines",
                                         .replaced_whole = true,
                                         .readers = Capabilities{Capability::kTileShape}.bits()};
inline constexpr SettingGroup kMapGroup{.label = "Thread map",
                                        .of = "engines that walk a thread map",
                                        .readers = Capabilities{Capability::kPairMap}.bits()};
inline constexpr SettingGroup kKernelGroup{.label = "Kernel",
                                           .of = "engines that run a kernel file",
                                           .readers = Capabilities{Capability::kKernel, Capability::kPairMap}.bits()};
inline constexpr SettingGroup kTreeGroup{.label = "Tree",
                                         .of = "tree engines",
                                         .replaced_whole = true,
                                         .readers = Capabilities{Capability::kAccuracy}.bits()};

/// All settings of an EngineConfig, in the order of files, columns and panels.
std::span<const EngineSetting> engine_settings();

/// The configuration used when nothing is specified: a default EngineConfig that also keeps accuracies. Files are read
/// into a plain EngineConfig, so that files of earlier versions keep their meaning.
EngineConfig default_engine_config();

/// True if this engine reads the setting. Settings without a group apply to all engines.
bool reads(const EngineEntry& entry, const SettingInfo& info);

/// Throws Error{kUsage} for the first setting of this group that is out of range.
void require_accepted(const SettingGroup& group, const EngineConfig& config);

}  // namespace orrery
