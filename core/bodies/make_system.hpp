// SPDX-License-Identifier: MIT
#pragma once
#include <memory>

#include "core/bodies/body_system.hpp"
#include "core/engines/any_engine.hpp"
#include "core/engines/menu.hpp"

namespace orrery {

/// make_body_system() without a RankLeader: all ranks make the same call.
std::unique_ptr<BodySystem> make_own_system(const EngineConfig& config, const Bodies& bodies, Urgency urgency,
                                            Ranks* ranks);

// One function per memory space; make_own_system() chooses by the engine's backend.
std::unique_ptr<BodySystem> make_host_system(AnyEngine engine, const EngineConfig& config, const EngineEntry& entry,
                                             const Bodies& bodies, Ranks* ranks = nullptr);
/// `ranks`: the ranks that each have such a system; null: none. Accelerations are bitwise the same on all ranks, even
/// if the engine does not share its work.
std::unique_ptr<BodySystem> make_device_system(AnyEngine engine, const EngineEntry& entry, const Bodies& bodies,
                                               Precision precision, Urgency urgency, Ranks* ranks = nullptr);

}  // namespace orrery
