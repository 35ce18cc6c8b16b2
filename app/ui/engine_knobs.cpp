// SPDX-License-Identifier: MIT
#include "app/ui/engine_knobs.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "app/ui/engine_choice.hpp"
#include "app/ui/setting_control.hpp"
#include "app/ui/tree_knobs.hpp"
#include "app/ui/words.hpp"
#include "core/engines/engine_settings.hpp"
#include "core/engines/menu.hpp"

namespace orrery {
namespace {

/// Tooltip of a menu entry.
std::string tip_of(const EngineEntry& entry) {
    const std::string key = key_tip(entry.id);
    return key.empty() ? std::string{entry.doc} : translated(fmt::format("{} {}", tr(entry.doc), key));
}

/// Lists each engine once: on the current backend if it can run there, otherwise on another.
bool engine_combo(Widgets& ui, EngineConfig& config) {
    const EngineMenu menu;
    const EngineEntry* now = menu.find(config.engine, config.backend);
    if (!ui.begin_combo("Engine", now ? now->label : std::string_view{config.engine},
                        phrase("How the forces are computed. Keys 1 to {}", engine_keys().size())))
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
    const SettingInfo& info = setting(engine_settings(), "backend").info;
    if (!ui.begin_combo(info.label, name(config.backend), tip_of(info))) return false;
    const EngineMenu menu;
    bool edited = false;
    for (const Backend backend : {Backend::kCpu, Backend::kCuda})
        if (ui.choice(name(backend), backend == config.backend, "", menu.refusal(config.engine, backend)))
            change_engine(config, *menu.find(config.engine, backend)), edited = true;
    ui.end_combo();
    return edited;
}

bool precision_combo(Widgets& ui, EngineConfig& config) {
    const SettingInfo& info = setting(engine_settings(), "precision").info;
    if (!ui.begin_combo(info.label, name(config.precision), tip_of(info))) return false;
    bool edited = false;
    for (const Precision precision : precisions())
        if (offers(engine(config.engine, config.backend), precision) &&
            ui.choice(name(precision), precision == config.precision, doc(precision)))
            config.precision = precision, edited = true;
    ui.end_combo();
    return edited;
}

/// All settings of a group that this engine reads.
bool group_knobs(Widgets& ui, EngineConfig& config, const EngineEntry& entry, const SettingGroup& group) {
    bool edited = false;
    ui.heading(group.label);
    for (const EngineSetting& setting : engine_settings())
        if (setting.info.group == &group && reads(entry, setting.info)) edited |= setting_control(ui, setting, config);
    return edited;
}

/// For engines that walk the half matrix.
bool repeats_knob(Widgets& ui, EngineConfig& config, const EngineEntry& entry) {
    if (entry.has_deterministic_mode()) return setting_control(ui, setting(engine_settings(), "deterministic"), config);
    if (entry.same_bits) ui.note("On this backend results are always bitwise identical.");
    return false;
}

}  // namespace

bool engine_combos(Widgets& ui, EngineConfig& config) {
    bool edited = engine_combo(ui, config);
    edited |= backend_combo(ui, config);
    edited |= precision_combo(ui, config);
    return setting_control(ui, setting(engine_settings(), "compensated"), config) || edited;
}

bool engine_knobs(Widgets& ui, EngineConfig& config) {
    const EngineEntry* entry = EngineMenu{}.find(config.engine, config.backend);
    if (!entry) return false;
    bool edited = false;
    if (entry->has_tiles()) edited |= group_knobs(ui, config, *entry, kTileGroup);
    if (entry->walks_pairs() || entry->walks_triples()) edited |= group_knobs(ui, config, *entry, kMapGroup);
    if (entry->walks_pairs()) edited |= repeats_knob(ui, config, *entry);
    if (entry->has_tree()) edited |= tree_knobs(ui, config, *entry);
    return edited;
}

}  // namespace orrery
