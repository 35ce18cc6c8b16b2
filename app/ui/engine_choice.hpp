// SPDX-License-Identifier: MIT
#pragma once
#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "core/engines/menu.hpp"

namespace orrery {

/// The menu of engines and, of each line, why it cannot run here: empty when it can. A parameter, so that tests can ask
/// for other machines than their own.
struct EngineMenu {
    std::span<const EngineEntry> entries = engines();
    std::function<std::string(const EngineEntry&)> why_not = unavailable;

    const EngineEntry* find(std::string_view id, Backend backend) const;  ///< null where this build has none
    /// Why the engine cannot run on this backend; empty when it can.
    std::string refusal(std::string_view id, Backend backend) const;
};

/// Engines in the order of their keys: the first has key 1. They are the same keys on every machine. `reference` has
/// none: it is there to be compared with.
std::span<const std::string_view> engine_keys();
/// "Key 3" for a tip; empty for an engine without a key.
std::string key_tip(std::string_view engine);

constexpr Backend other(Backend backend) { return backend == Backend::kCpu ? Backend::kCuda : Backend::kCpu; }

/// Makes `config` one for this line of the menu. Knobs that an engine or a backend may refuse go back to its own
/// choice: sizes of tiles, leaves and groups with the backend, sides of tiles between pairs and triples, compensated
/// sums off the CPU. Mixed precision becomes double where it is not offered: places keep their digits.
void change_engine(EngineConfig& config, const EngineEntry& entry);

/// What a key makes of a configuration, or why it makes nothing.
struct EngineChange {
    bool possible = false;
    EngineConfig config;  ///< unchanged where it is not possible
    std::string words;    ///< for people
};

/// Another engine on the backend in use, where it can run there, else on the other.
EngineChange to_engine(const EngineConfig& now, std::string_view id, const EngineMenu& menu = {});
/// The same engine on the other backend.
EngineChange to_other_backend(const EngineConfig& now, const EngineMenu& menu = {});

}  // namespace orrery
