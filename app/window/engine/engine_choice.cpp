// SPDX-License-Identifier: MIT
#include "app/window/engine/engine_choice.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "app/ui/words.hpp"
#include "core/cuda/info.hpp"
#include "core/engines/choices.hpp"
#include "core/engines/engine_settings.hpp"
#include "core/engines/menu.hpp"
#include "core/engines/tree_choice.hpp"
#include "core/gl/info.hpp"
#include "core/presets/presets.hpp"
#include "core/simulation/compatibility.hpp"

namespace orrery {
namespace {

/// The change to `entry`; its text ends with `remark`.
EngineChange changed(const EngineConfig& now, const EngineEntry& entry, std::string_view what,
                     const std::string& remark) {
    EngineChange change{.possible = true, .config = now, .words = {}};
    change_engine(change.config, entry);
    change.words = phrase("{}: {} on {}{}", tr(what), if_known(entry.label), name(entry.backend), remark);
    if (change.config.precision != now.precision)
        change.words += phrase(", in {} precision because it lacks {}", if_known(name(change.config.precision)),
                               if_known(name(now.precision)));
    return change;
}

}  // namespace

const EngineEntry* EngineMenu::find(std::string_view id, Backend backend) const {
    const auto found =
        std::ranges::find_if(entries, [&](const EngineEntry& e) { return e.id == id && e.backend == backend; });
    return found == entries.end() ? nullptr : &*found;
}

std::string EngineMenu::refusal(std::string_view id, Backend backend) const {
    if (const EngineEntry* entry = find(id, backend)) return why_not(*entry);
    // A build without CUDA has no CUDA entries.
    if (backend == Backend::kCuda && !cuda_info().available) return cuda_info().reason;
    // The same for a build without EGL.
    if (backend == Backend::kGl && !gl_compute_info().available) return gl_compute_info().reason;
    return phrase("{} has no {} version", id, name(backend));
}

std::span<const std::string_view> engine_keys() {
    static constexpr std::array<std::string_view, 8> ids{"direct",  "half",       "tree",  "auto",
                                                         "triplet", "tree-locks", "naive", "fmm"};
    return ids;
}

std::string key_tip(std::string_view engine) {
    const auto keys = engine_keys();
    const auto found = std::ranges::find(keys, engine);
    return found == keys.end() ? std::string{} : phrase("Key {}", found - keys.begin() + 1);
}

std::string_view engine_name(const EngineConfig& config) {
    const EngineEntry* entry = find_engine(config);
    return entry ? if_known(entry->label) : std::string_view{config.engine};
}

void change_engine(EngineConfig& config, const EngineEntry& entry) {
    const bool had_triplets = !walks_pairs(config) && !map_in_force(config).empty();
    if (had_triplets != entry.walks_triples())
        config.tile_size = 0;  // tile sizes for pairs are too large for triples, and vice versa
    if (entry.backend != config.backend) {
        config.tile_size = config.tree.leaf = config.tree.group = 0;
        config.tile = {};
    }
    if (entry.backend != Backend::kCpu) config.compensated = false;
    config.engine = entry.id;
    config.backend = entry.backend;
    if (entry.id == "auto" && config.tree.theta == 0 && config.tree.alpha == 0 && config.tree.accuracy == 0)
        config.tree.accuracy = kDefaultAccuracy;  // an automatic choice favours speed
    if (entry.opens_by_theta_alone())
        config.tree = {.theta = config.tree.theta, .keep_accuracy = config.tree.keep_accuracy};
    const std::vector<int> orders = expansion_orders(entry);
    if (entry.has(Capability::kAccuracy) && std::ranges::find(orders, config.tree.order) == orders.end())
        config.tree.order = 0;
    if (!offers(entry, config.precision)) config.precision = Precision::kDouble;
}

EngineChange to_engine(const EngineConfig& now, std::string_view id, const EngineMenu& menu) {
    const std::string here = menu.refusal(id, now.backend);
    if (here.empty()) return changed(now, *menu.find(id, now.backend), "Engine", "");
    for (const Backend elsewhere : others(now.backend))
        if (menu.refusal(id, elsewhere).empty())
            return changed(now, *menu.find(id, elsewhere), "Engine", fmt::format(" ({})", here));
    const std::string there = menu.refusal(id, others(now.backend).front());
    const bool only_there = !menu.find(id, now.backend);  // then the reason of the other backend applies
    return {.config = now, .words = phrase("Engine {} cannot run here: {}", id, only_there ? there : here)};
}

EngineChange to_other_backend(const EngineConfig& now, const EngineMenu& menu) {
    const std::span<const Backend> all = backends();
    const auto place = static_cast<std::size_t>(std::ranges::find(all, now.backend) - all.begin());
    for (std::size_t i = 1; i < all.size(); ++i) {
        const Backend next = all[(place + i) % all.size()];
        if (menu.refusal(now.engine, next).empty()) return changed(now, *menu.find(now.engine, next), "Backend", "");
    }
    const Backend elsewhere = others(now.backend).front();
    const std::string why_not = menu.refusal(now.engine, elsewhere);
    const EngineEntry* entry = menu.find(now.engine, now.backend);
    return {.config = now,
            .words = phrase("{} stays on {}; {}: {}", entry ? if_known(entry->label) : now.engine, name(now.backend),
                            name(elsewhere), why_not)};
}

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
