// SPDX-License-Identifier: MIT
#include "app/ui/map_knobs.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/maps/maps.hpp"

namespace orrery {
namespace {

bool map_combo(Widgets& ui, EngineConfig& config) {
    if (!ui.begin_combo("Map", config.map,
                        "How blocks of threads reach the tiles of the triangle. Key M: the next one"))
        return false;
    bool edited = false;
    for (const MapEntry& map : maps())
        if (ui.choice(map.id, map.id == config.map, map.doc)) config.map = map.id, edited = true;
    ui.end_combo();
    return edited;
}

bool root_combo(Widgets& ui, EngineConfig& config, bool taken) {
    if (!ui.begin_combo("Root", taken ? config.root : "none",
                        "The square root that the map proposes a row by; integers decide",
                        taken ? "" : "this map takes no square root"))
        return false;
    bool edited = false;
    for (const RootEntry& root : roots())
        if (ui.choice(root.id, root.id == config.root, root.doc)) config.root = root.id, edited = true;
    ui.end_combo();
    return edited;
}

std::string side_text(int rows) { return rows == 0 ? "auto" : fmt::format("{}", rows); }

bool side_combo(Widgets& ui, EngineConfig& config) {
    if (!ui.begin_combo("Tile side", side_text(config.rows), "Bodies on a side of a tile, ρ")) return false;
    bool edited = false;
    for (const int rows : {0, 32, 64, 128, 256, 384, 512, 768, 1024})
        if (ui.choice(side_text(rows), rows == config.rows, "")) config.rows = rows, edited = true;
    ui.end_combo();
    return edited;
}

}  // namespace

bool map_knobs(Widgets& ui, EngineConfig& config) {
    bool edited = map_combo(ui, config);
    edited |= root_combo(ui, config, map(config.map).takes_root);
    return side_combo(ui, config) || edited;
}

}  // namespace orrery
