// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "core/engines/config.hpp"
#include "core/engines/menu.hpp"
#include "core/engines/report.hpp"
#include "core/physics/gravity.hpp"
#include "core/simulation/scene_request.hpp"

namespace orrery {

/// The menu of engines and, for each entry, why it cannot run here: empty if it can. A parameter, so that tests can
/// simulate other machines.
struct EngineMenu {
    std::span<const EngineEntry> entries = engines();
    std::function<std::string(const EngineEntry&)> why_not = unavailable;

    const EngineEntry* find(std::string_view id, Backend backend) const;  ///< null if this build has none
    /// Why the engine cannot run on this backend; empty if it can.
    std::string refusal(std::string_view id, Backend backend) const;
};

/// Engines in the order of their keys: the first has key 1. The keys are the same on every machine. `reference` has
/// none: it serves for comparison only.
std::span<const std::string_view> engine_keys();
/// "Key 3" for a tooltip; empty for an engine without a key.
std::string key_tip(std::string_view engine);

/// The name of an engine in the current language, as in the menu Engine: the only one that the window shows.
std::string_view engine_name(const EngineConfig& config);

/// The other backends, in the order in which an engine that has no version on this one is looked up.
constexpr std::array<Backend, 2> others(Backend backend) {
    if (backend == Backend::kCpu) return {Backend::kCuda, Backend::kGl};
    if (backend == Backend::kCuda) return {Backend::kCpu, Backend::kGl};
    return {Backend::kCuda, Backend::kCpu};
}

/// Adapts `config` to this entry of the menu. Settings that an engine or a backend may refuse return to their defaults:
/// tile, leaf and group sizes with the backend, tile sizes between pairs and triples, compensated summation off the
/// CPU. Mixed precision becomes double if it is not offered, so that positions keep their precision.
void change_engine(EngineConfig& config, const EngineEntry& entry);

/// The effect of a key on a configuration, or why it has none.
struct EngineChange {
    bool possible = false;
    EngineConfig config;  ///< unchanged unless possible
    std::string words;    ///< for display
};

/// Another engine on the current backend if it can run there, otherwise on another.
EngineChange to_engine(const EngineConfig& now, std::string_view id, const EngineMenu& menu = {});
/// The same engine on the next backend that can run it, in the order of backends().
EngineChange to_other_backend(const EngineConfig& now, const EngineMenu& menu = {});

/// The engine of a scene for which the user has chosen none: all pairs, or, if those would take longer than about two
/// frames, Barnes–Hut at the default accuracy, if it supports this law and this integrator (empty: kicks and drifts).
/// Uses the best backend of the engine on this machine.
EngineConfig first_engine(std::size_t bodies, PairLaw law, std::string_view integrator_id);
/// The same for a scene that is not open yet, from its request; a preset gets the force that it needs.
EngineConfig first_engine(const SceneRequest& scene);
/// The engine that a preset needs in place of this one; none if this one computes the preset's force.
std::optional<EngineConfig> engine_needed(const SceneRequest& scene, const EngineConfig& now);

}  // namespace orrery
