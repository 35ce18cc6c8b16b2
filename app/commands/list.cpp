// SPDX-License-Identifier: MIT
#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <concepts>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "app/cli/options.hpp"
#include "app/cli/terminal.hpp"
#include "app/commands/commands.hpp"
#include "app/record/record_settings.hpp"
#include "app/record/recorders.hpp"
#include "app/render/color_maps.hpp"
#include "app/render/color_modes.hpp"
#include "app/render/view_settings.hpp"
#include "app/scene/scene_file.hpp"
#include "app/scene/scene_keys.hpp"
#include "app/scene/shipped.hpp"
#include "app/window/user_settings.hpp"
#include "core/analysis/analyses.hpp"
#include "core/base/standard_streams.hpp"
#include "core/catalogues/catalogue_formats.hpp"
#include "core/engines/engine_settings.hpp"
#include "core/engines/menu.hpp"
#include "core/formats/formats.hpp"
#include "core/integrators/integrators.hpp"
#include "core/lab/experiments.hpp"
#include "core/maps/maps.hpp"
#include "core/physics/pair_law.hpp"
#include "core/presets/presets.hpp"

namespace orrery {
namespace {

using Json = nlohmann::ordered_json;

template <class Entry>
Json described(const Entry& entry) {
    return {{"id", entry.id}, {"label", entry.label}, {"doc", entry.doc}};
}
Json with_reason(Json item, const std::string& why_not) {
    item["available"] = why_not.empty();
    item["reason"] = why_not;
    return item;
}

Json to_json(const EngineEntry& entry) {
    Json item = described(entry);
    item["backend"] = name(entry.backend);
    item["tolerance_single"] = entry.tolerance_single;
    item["tolerance_double"] = entry.tolerance_double;
    item["tile_knobs"] = entry.has_tiles();
    item["walks_map"] = entry.walks_pairs() || entry.walks_triples();
    if (entry.law != Law::kPairs) {
        item["laws"] = {"axilrod-teller"};
    } else {
        for (const PairLaw law : entry.pair_laws) item["laws"].push_back(pair_law(law).id);
    }
    return with_reason(std::move(item), unavailable(entry));
}
template <class Entry>
requires std::same_as<Entry, MapEntry> || std::same_as<Entry, Map3Entry> Json to_json(const Entry& entry) {
    Json item = described(entry);
    item["takes_root"] = entry.takes_root;
    return item;
}
Json to_json(const RootEntry& entry) { return described(entry); }
Json to_json(const PresetEntry& entry) {
    Json item = described(entry);
    item["bodies"] = entry.default_bodies;
    item["fixed_count"] = entry.fixed_count;
    item["family"] = entry.family;
    return item;
}
Json to_json(const FormatEntry& entry) {
    Json item = described(entry);
    item["extensions"] = entry.extensions;
    return with_reason(std::move(item), std::string{entry.why_not});
}
Json to_json(const CatalogueEntry& entry) { return with_reason(described(entry), std::string{entry.why_not}); }
Json to_json(const IntegratorEntry& entry) {
    Json item = described(entry);
    item["order"] = entry.order;
    return item;
}
Json to_json(const ColorModeEntry& entry) {
    Json item = described(entry);
    item["source"] = entry.source;
    item["map"] = entry.map;
    return item;
}
Json to_json(const ColorMapEntry& entry) {
    Json item = described(entry);
    item["source"] = entry.source;
    return item;
}
Json to_json(const AnalysisEntry& entry) {
    Json item = described(entry);
    item["source"] = entry.source;
    return item;
}
Json to_json(const ShippedScene& entry) { return described(entry); }
Json to_json(const LabEntry& entry) { return described(entry); }
Json to_json(const RecorderEntry& entry) {
    Json item = described(entry);
    item["names"] = entry.names;
    return with_reason(std::move(item), entry.why_not());
}

template <class Entry>
Json menu(std::span<const Entry> entries) {
    Json list = Json::array();
    for (const Entry& entry : entries) list.push_back(to_json(entry));
    return list;
}

Json scene_key_menu() {
    Json list = Json::array();
    for (const SceneKey& key : scene_keys())
        list.push_back({{"id", key.name}, {"label", key.takes}, {"doc", key.doc}, {"section", key.section}});
    return list;
}

template <class Config>
void add_settings_of(Json& list, std::span<const Setting<Config>> table) {
    for (const Setting<Config>& each : table) {
        const SettingInfo& info = each.info;
        if (info.places == 0) continue;
        list.push_back({{"id", info.id},
                        {"label", info.label},
                        {"doc", doc_of(info)},
                        {"of", info.section},
                        {"takes", takes_text(info)},
                        {"default", text_of(each.member.get(Config{}))},
                        {"unit", info.unit},
                        {"option", info.in(place::kCommandLine) ? "--" + first_flag_of(info) : ""},
                        {"scene_file", info.in(place::kSceneFile)}});
    }
}

Json setting_menu() {
    Json list = Json::array();
    add_settings_of(list, engine_settings());
    add_settings_of(list, view_settings());
    add_settings_of(list, camera_settings());
    add_settings_of(list, record_settings());
    add_settings_of(list, series_settings());
    add_settings_of(list, window_settings());
    return list;
}

/// A menu under the name that scripts rely on.
struct NamedMenu {
    std::string_view id;
    Json (*entries)();
};

constexpr std::array kMenus{
    NamedMenu{"engines", [] { return menu(engines()); }},
    NamedMenu{"maps", [] { return menu(maps()); }},
    NamedMenu{"study_maps", [] { return menu(study_maps()); }},
    NamedMenu{"simplex3_maps", [] { return menu(simplex3_maps()); }},
    NamedMenu{"roots", [] { return menu(roots()); }},
    NamedMenu{"presets", [] { return menu(presets()); }},
    NamedMenu{"formats", [] { return menu(formats()); }},
    NamedMenu{"film_formats", [] { return menu(film_formats()); }},
    NamedMenu{"catalogues", [] { return menu(catalogue_formats()); }},
    NamedMenu{"integrators", [] { return menu(integrators()); }},
    NamedMenu{"color_modes", [] { return menu(color_modes()); }},
    NamedMenu{"color_maps", [] { return menu(color_maps()); }},
    NamedMenu{"recorders", [] { return menu(recorders()); }},
    NamedMenu{"plots", [] { return menu(analyses()); }},
    NamedMenu{"scenes", [] { return menu(shipped_scenes()); }},
    NamedMenu{"scene_keys", scene_key_menu},
    NamedMenu{"settings", setting_menu},
    NamedMenu{"experiments", [] { return menu(experiments()); }},
};

void print_entries(const Json& entries, std::string_view indent) {
    Table table;
    table.head = {"", ""};
    for (const Json& entry : entries) {
        std::string id = entry["id"].get<std::string>();
        if (entry.contains("of")) id = entry["of"].get<std::string>() + "." + id;
        if (entry.contains("section")) id = entry["section"].get<std::string>() + "." + id;
        if (entry.contains("backend")) id += " (" + entry["backend"].get<std::string>() + ")";
        std::string doc = entry["doc"];
        if (!entry.value("available", true)) doc += " Not here: " + entry["reason"].get<std::string>();
        table.rows.push_back({std::string{indent} + id, doc});
    }
    to_stdout("{}", table.text());
}

int list_one(const NamedMenu& one, bool json) {
    const Json entries = one.entries();
    if (json)
        to_stdout("{}\n", entries.dump(2));
    else
        print_entries(entries, "");
    return 0;
}

int list_all(bool json) {
    Json all;
    for (const NamedMenu& each : kMenus) all[std::string{each.id}] = each.entries();
    if (json) {
        to_stdout("{}\n", all.dump(2));
        return 0;
    }
    for (const auto& [key, entries] : all.items()) {
        if (entries.empty() || key == "scene_keys") continue;  // keys of scene files: the guide lists them
        to_stdout("{}\n", key);
        print_entries(entries, "  ");
    }
    return 0;
}

}  // namespace

Work declare_list(CLI::App& app) {
    const auto json = std::make_shared<bool>(false);
    const auto wanted = std::make_shared<std::string>();
    std::vector<std::string> names;
    for (const NamedMenu& each : kMenus) names.emplace_back(each.id);
    app.add_option("MENU", *wanted, "The menu to list, such as presets (default: all)")->check(CLI::IsMember{names});
    add_json(app, *json);
    app.footer(
        "JSON: one array per menu: engines maps study_maps simplex3_maps roots presets formats integrators color_modes "
        "color_maps\nrecorders plots scenes scene_keys settings experiments; with MENU that array alone. study_maps "
        "are "
        "maps without\ninteger correction, simplex3_maps are maps of triples of tiles. Each entry has at least id, "
        "label "
        "and doc. Examples:\n  orrery list presets\n  orrery list engines --json");
    return [json, wanted] {
        const auto one = std::ranges::find(kMenus, *wanted, &NamedMenu::id);
        return one == kMenus.end() ? list_all(*json) : list_one(*one, *json);
    };
}

}  // namespace orrery
