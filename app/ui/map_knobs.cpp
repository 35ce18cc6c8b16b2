// SPDX-License-Identifier: MIT
#include "app/ui/map_knobs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>

#include "core/maps/maps.hpp"
#include "core/maps/maps3.hpp"

namespace orrery {
namespace {

template <class Menu>
bool map_combo(Widgets& ui, std::string& id, const Menu& menu, std::string_view doc) {
    if (!ui.begin_combo("Map", id, doc)) return false;
    bool edited = false;
    for (const auto& map : menu)
        if (ui.choice(map.id, map.id == id, map.doc)) id = map.id, edited = true;
    ui.end_combo();
    return edited;
}

bool root_combo(Widgets& ui, EngineConfig& config, bool taken) {
    if (!ui.begin_combo("Root", taken ? config.root : "none",
                        "The square root with which the map estimates a row; integers correct it",
                        taken ? "" : "this map takes no square root"))
        return false;
    bool edited = false;
    for (const RootEntry& root : roots())
        if (ui.choice(root.id, root.id == config.root, root.doc)) config.root = root.id, edited = true;
    ui.end_combo();
    return edited;
}

std::string side_text(int rows) { return rows == 0 ? "auto" : fmt::format("{}", rows); }

bool side_combo(Widgets& ui, EngineConfig& config, std::initializer_list<int> sides) {
    if (!ui.begin_combo("Tile side", side_text(config.rows), "Tile size ρ: the number of bodies on a side of a tile"))
        return false;
    bool edited = false;
    for (const int rows : sides)
        if (ui.choice(side_text(rows), rows == config.rows, "")) config.rows = rows, edited = true;
    ui.end_combo();
    return edited;
}

}  // namespace

bool map_knobs(Widgets& ui, EngineConfig& config) {
    bool edited = map_combo(ui, config.map, maps(),
                            "How tiles of the triangle are assigned to thread blocks. Key M: the next map");
    edited |= root_combo(ui, config, map(config.map).takes_root);
    return side_combo(ui, config, {0, 32, 64, 128, 256, 384, 512, 768, 1024}) || edited;
}

bool map3_knobs(Widgets& ui, EngineConfig& config) {
    bool edited = map_combo(ui, config.map3, simplex3_maps(),
                            "How triples of tiles are assigned to thread blocks. Key M: the next map");
    edited |= root_combo(ui, config, simplex3_map(config.map3).takes_root);
    return side_combo(ui, config, {0, 16, 32}) || edited;
}

}  // namespace orrery
