// SPDX-License-Identifier: MIT
#include "app/window/engine/engine_commands.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "app/ui/words.hpp"
#include "app/window/engine/engine_choice.hpp"
#include "app/window/window_parts.hpp"
#include "core/engines/map_choices.hpp"
#include "core/engines/menu.hpp"
#include "core/maps/maps.hpp"
#include "core/maps/maps3.hpp"

namespace orrery {
namespace {

void take(WindowParts& window, const EngineChange& change) {
    if (change.possible) window.scenes.use_engine(change.config);
    window.core.messages.notice(change.words, "Engine");
}

}  // namespace

void choose_engine(WindowParts& window, int key) {
    take(window, to_engine(window.core.simulation.engine(), engine_keys()[static_cast<std::size_t>(key - 1)]));
}

void change_backend(WindowParts& window, int) { take(window, to_other_backend(window.core.simulation.engine())); }

void next_map(WindowParts& window, int) {
    Messages& messages = window.core.messages;
    EngineConfig config = window.core.simulation.engine();
    if (map_in_force(config).empty()) return messages.notice("This engine uses no thread map; Half matrix does: key 2");
    const auto to_next = [](const auto& menu, std::string& id) {
        const auto now = std::ranges::find_if(menu, [&](const auto& entry) { return entry.id == id; });
        id = now == menu.end() || now + 1 == menu.end() ? menu.front().id : (now + 1)->id;
    };
    const bool pairs = walks_pairs(config);
    pairs ? to_next(maps(), config.map) : to_next(simplex3_maps(), config.map3);
    window.scenes.use_engine(config);
    const UiState& state = window.core.state;
    if (!pairs || !state.layout.panels || state.layout.panel != "maps")  // the page shows it in its title
        messages.notice(phrase("Map: {}", map_in_force(config)));
}

void next_precision(WindowParts& window, int) {
    EngineConfig config = window.core.simulation.engine();
    const EngineEntry& entry = engine(config.engine, config.backend);
    const auto menu = precisions();
    auto next = std::ranges::find(menu, config.precision);
    do next = next + 1 == menu.end() ? menu.begin() : next + 1;
    while (!offers(entry, *next));
    config.precision = *next;
    window.scenes.use_engine(config);
    window.core.messages.notice(phrase("Precision: {}", if_known(name(config.precision))));
}

void toggle_octree(WindowParts& window, int) {
    bool& on = window.core.state.view.octree.on;
    on = !on;
    const EngineConfig& config = window.core.simulation.engine();
    const EngineEntry* entry = find_engine(config);
    const bool tree = config.engine == "auto" || (entry && entry->has_tree());
    if (on && !tree) window.core.messages.notice("This engine has no tree; Tree (Barnes–Hut) does: key 3");
}

}  // namespace orrery
