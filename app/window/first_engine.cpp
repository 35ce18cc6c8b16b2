// SPDX-License-Identifier: MIT
#include "app/window/first_engine.hpp"

#include <algorithm>

#include "core/engines/engine_settings.hpp"
#include "core/engines/menu.hpp"
#include "core/presets/presets.hpp"
#include "core/simulation/needs.hpp"

namespace orrery {
namespace {

// Beyond these, all pairs take more than about two pictures: on two cores, and on a GPU of some years ago.
constexpr std::size_t kMostPairsOnCpu = 4096, kMostPairsOnCuda = 65536;

}  // namespace

EngineConfig first_engine(std::size_t bodies, PairLaw law, std::string_view integrator_id) {
    EngineConfig config = usual_engine();
    config.backend = default_backend(config.engine);
    const std::size_t most = config.backend == Backend::kCuda ? kMostPairsOnCuda : kMostPairsOnCpu;
    if (bodies <= most) return config;
    EngineConfig tree = usual_engine();
    tree.engine = "tree";
    tree.backend = default_backend(tree.engine);
    const bool follows = integrator_id.empty() || refusal(integrator(integrator_id), tree, law).empty();
    return follows && computes(engine(tree.engine, tree.backend), law) ? tree : config;
}

EngineConfig first_engine(const SceneRequest& scene) {
    const auto menu = presets();
    const auto entry = std::ranges::find(menu, scene.source, &PresetEntry::id);
    if (entry == menu.end() || !entry->gravitates) return first_engine(0, PairLaw::kGravity, {});
    return first_engine(scene.bodies > 0 ? scene.bodies : entry->default_bodies, PairLaw::kGravity, scene.integrator);
}

}  // namespace orrery
