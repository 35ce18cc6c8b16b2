// SPDX-License-Identifier: MIT
#include "app/window/scenes/first_engine.hpp"

#include <algorithm>

#include "core/engines/engine_settings.hpp"
#include "core/engines/menu.hpp"
#include "core/presets/presets.hpp"
#include "core/simulation/compatibility.hpp"

namespace orrery {
namespace {

// Above these, all pairs take more than about two frames: on two cores, and on a GPU that is some years old.
constexpr std::size_t kMostPairsOnCpu = 4096, kMostPairsOnGpu = 65536;

EngineConfig default_of(std::string_view id) {
    EngineConfig config = default_engine_config();
    config.engine = id;
    config.backend = default_backend(config.engine);
    return config;
}

}  // namespace

EngineConfig first_engine(std::size_t bodies, PairLaw law, std::string_view integrator_id) {
    const EngineConfig config = default_of(default_engine_config().engine);
    const std::size_t most = config.backend == Backend::kCpu ? kMostPairsOnCpu : kMostPairsOnGpu;
    if (bodies <= most) return config;
    const std::string steps{integrator_id.empty() ? std::string_view{Scene{}.integrator} : integrator_id};
    if (const EngineConfig many = default_engine(config, bodies, law, integrator(steps)); many != config) return many;
    const EngineConfig tree = default_of("tree");
    const bool follows = integrator_id.empty() || why_incompatible(integrator(integrator_id), tree, law).empty();
    return follows && computes(engine(tree.engine, tree.backend), law) ? tree : config;
}

EngineConfig first_engine(const SceneRequest& scene) {
    const auto menu = presets();
    const auto entry = std::ranges::find(menu, scene.source, &PresetEntry::id);
    if (entry != menu.end() && !entry->engine.empty()) return default_of(entry->engine);
    if (entry == menu.end() || !entry->gravitates) return first_engine(0, PairLaw::kGravity, {});
    return first_engine(scene.bodies > 0 ? scene.bodies : entry->default_bodies, PairLaw::kGravity, scene.integrator);
}

std::optional<EngineConfig> engine_needed(const SceneRequest& scene, const EngineConfig& now) {
    const auto menu = presets();
    const auto entry = std::ranges::find(menu, scene.source, &PresetEntry::id);
    if (entry == menu.end() || entry->gravitates) return std::nullopt;
    if (!entry->engine.empty())
        return now.engine == entry->engine ? std::nullopt : std::optional{default_of(entry->engine)};
    const EngineEntry& current = engine(now.engine, now.backend);
    const bool fits = computes(current, PairLaw::kLennardJones) && computes(current, PairLaw::kCoulomb);
    return fits ? std::nullopt : std::optional{first_engine(scene)};
}

}  // namespace orrery
