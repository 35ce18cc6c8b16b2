// SPDX-License-Identifier: MIT
#include "app/ui/engine_knobs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <initializer_list>

#include "app/ui/engine_choice.hpp"
#include "app/ui/map_knobs.hpp"
#include "app/ui/tree_knobs.hpp"

namespace orrery {
namespace {

/// What a line of the menu says beside its name.
std::string tip_of(const EngineEntry& entry) {
    const std::string key = key_tip(entry.id);
    return key.empty() ? std::string{entry.doc} : fmt::format("{} {}", entry.doc, key);
}

/// Engines, each named once: on the backend in force when it can run there, else on another.
bool engine_combo(Widgets& ui, EngineConfig& config) {
    const EngineMenu menu;
    const EngineEntry* now = menu.find(config.engine, config.backend);
    if (!ui.begin_combo("Engine", now ? now->label : std::string_view{config.engine},
                        fmt::format("How the forces are computed. Keys 1 to {}", engine_keys().size())))
        return false;
    bool edited = false;
    std::string_view last;
    for (const EngineEntry& entry : menu.entries) {
        if (entry.id == last) continue;
        last = entry.id;
        const EngineChange change = to_engine(config, entry.id, menu);
        if (!ui.choice(entry.label, entry.id == config.engine, tip_of(entry), change.possible ? "" : change.words))
            continue;
        config = change.config;
        edited = true;
    }
    ui.end_combo();
    return edited;
}

bool backend_combo(Widgets& ui, EngineConfig& config) {
    if (!ui.begin_combo("Backend", name(config.backend), "Where the forces are computed. Key B")) return false;
    const EngineMenu menu;
    bool edited = false;
    for (const Backend backend : {Backend::kCpu, Backend::kCuda})
        if (ui.choice(name(backend), backend == config.backend, "", menu.refusal(config.engine, backend)))
            change_engine(config, *menu.find(config.engine, backend)), edited = true;
    ui.end_combo();
    return edited;
}

bool precision_combo(Widgets& ui, EngineConfig& config) {
    if (!ui.begin_combo("Precision", name(config.precision),
                        "Of positions, velocities and forces; mixed: double, but forces in single. Key Enter"))
        return false;
    bool edited = false;
    for (const Precision precision : precisions())
        if (offers(engine(config.engine, config.backend), precision) &&
            ui.choice(name(precision), precision == config.precision, doc(precision)))
            config.precision = precision, edited = true;
    ui.end_combo();
    return edited;
}

struct Knob {
    std::string_view label, doc;
    int TileConfig::*value;
    std::initializer_list<int> choices;
};

/// As in TileConfig (core/engines/config.hpp); 0 lets the engine choose.
const auto kKnobs = std::to_array<Knob>({
    {"p",
     "Threads of a block, and bodies of a tile in shared memory",
     &TileConfig::p,
     {0, 32, 64, 128, 256, 512, 1024}},
    {"u", "Unrolling of the inner loop", &TileConfig::u, {0, 1, 2, 4, 8, 16, 32}},
    {"q", "Threads per body; p times q is at most 1024", &TileConfig::q, {0, 1, 2, 4, 8}},
    {"k", "Bodies per thread, held in registers", &TileConfig::k, {0, 1, 2, 4, 8}},
});

std::string knob_text(int value) { return value == 0 ? "auto" : fmt::format("{}", value); }

bool tile_knobs(Widgets& ui, TileConfig& tile) {
    bool edited = false;
    ui.heading("Tile");
    for (const Knob& knob : kKnobs) {
        int& value = tile.*knob.value;
        if (!ui.begin_combo(knob.label, knob_text(value), knob.doc)) continue;
        for (const int choice : knob.choices)
            if (ui.choice(knob_text(choice), choice == value, "")) value = choice, edited = true;
        ui.end_combo();
    }
    return edited;
}

/// Of engines that walk the half matrix.
bool half_matrix_knobs(Widgets& ui, EngineConfig& config, const EngineEntry& entry) {
    ui.heading("Half matrix");
    bool edited = map_knobs(ui, config);
    edited |= ui.toggle("Equal masses", config.equal_masses,
                        "Save two multiplications a pair where all bodies of two tiles have the same mass");
    if (entry.deterministic_mode)
        edited |= ui.toggle("Deterministic", config.deterministic,
                            "The same bits on every run: sums in fixed point, in place of floating point in the order "
                            "that blocks come in. Slower");
    else if (entry.same_bits)
        ui.note("On this backend every run gives the same bits.");
    return edited;
}

}  // namespace

bool engine_combos(Widgets& ui, EngineConfig& config) {
    bool edited = engine_combo(ui, config);
    edited |= backend_combo(ui, config);
    edited |= precision_combo(ui, config);
    if (config.backend == Backend::kCpu)
        edited |= ui.toggle("Compensated sums", config.compensated,
                            "Places and velocities keep what rounding takes from them, step by step, for long runs "
                            "(Kahan 1965); not with Hermite's schemes");
    return edited;
}

bool engine_knobs(Widgets& ui, EngineConfig& config) {
    const EngineEntry* entry = EngineMenu{}.find(config.engine, config.backend);
    if (!entry) return false;
    bool edited = false;
    if (entry->tile_knobs) edited |= tile_knobs(ui, config.tile);
    if (entry->maps) edited |= half_matrix_knobs(ui, config, *entry);
    if (entry->triplets) ui.heading("Triples of tiles"), edited |= map3_knobs(ui, config);
    if (entry->tree) edited |= tree_knobs(ui, config, *entry);
    return edited;
}

}  // namespace orrery
