// SPDX-License-Identifier: MIT
#include "app/window/user_settings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <functional>

#include "app/platform/machine.hpp"
#include "app/render/view_settings.hpp"
#include "app/scene/scene_file.hpp"
#include "app/scene/scene_value.hpp"
#include "app/scene/toml_file.hpp"
#include "app/ui/words.hpp"
#include "app/window/features.hpp"
#include "app/window/ui_state.hpp"
#include "core/base/environment.hpp"
#include "core/base/error.hpp"
#include "core/base/files.hpp"
#include "core/base/standard_streams.hpp"

namespace orrery {
namespace {

using U = UserSettings;

std::vector<Setting<U>> window_table() {
    SettingTable<U> add{"window"};
    add({.id = "width",
         .label = "Width",
         .doc = "width of the window, in screen coordinates",
         .kind = WholeKind{64, 16384},
         .places = place::kUserFile},
        member<&U::width>());
    add({.id = "height",
         .label = "Height",
         .doc = "height of the window, in screen coordinates",
         .kind = WholeKind{64, 16384},
         .places = place::kUserFile},
        member<&U::height>());
    add({.id = "text_scale",
         .label = "Text size",
         .doc = "size of text and controls, relative to that of the screen",
         .kind = RealKind{kLeastTextScale, kMostTextScale},
         .places = place::kUserFile},
        member<&U::text_scale>());
    add(setting(scene_file_settings(), "panel").info, member<&U::panel>());
    add({.id = "panels",
         .label = "Panels",
         .doc = "the panels are shown",
         .kind = FlagKind{},
         .places = place::kUserFile},
        member<&U::panels>());
    add(setting(scene_file_settings(), "figures").info, member<&U::figures>());
    add({.id = "gallery",
         .label = "Gallery",
         .doc = "the gallery opens with the window when no scene was named",
         .kind = FlagKind{},
         .places = place::kUserFile},
        member<&U::gallery>());
    add({.id = "autosave",
         .label = "Autosave",
         .doc = "minutes between two checkpoints that the window keeps of a run; 0: none",
         .kind = RealKind{0, 1440},
         .places = place::kUserFile},
        member<&U::autosave>());
    add({.id = "theme",
         .label = "Theme",
         .doc = "colours of the panels; the picture stays dark",
         .kind = choices_of(themes()),
         .places = place::kUserFile},
        member<&U::theme>());
    add({.id = "language",
         .label = "Language",
         .doc = "language of the window; auto: that of the environment",
         .kind = choices_of(languages()),
         .places = place::kUserFile},
        member<&U::language>());
    add({.id = "sidebar",
         .label = "Sidebar",
         .doc = "width of the sidebar, in pixels at scale 1",
         .kind = WholeKind{kLeastSidebar, kMostSidebar},
         .places = place::kUserFile},
        member<&U::sidebar>());
    add({.id = "torn",
         .label = "Own windows",
         .doc = "pages in their own windows: id, left, top, width and height of each, in pixels at scale 1",
         .kind = TextKind{},
         .places = place::kUserFile},
        member<&U::detached>());
    add({.id = "advanced",
         .label = "Advanced",
         .doc = "pages whose fold Advanced is open: their ids, separated by blanks",
         .kind = TextKind{},
         .places = place::kUserFile},
        member<&U::advanced>());
    add({.id = "tour",
         .label = "Tour",
         .doc = "the tour of the first steps opens with the window when no scene was named",
         .kind = FlagKind{},
         .places = place::kUserFile},
        member<&U::tour>());
    return std::move(add).all();
}

/// Returns the value as one line.
std::string found_text(const SettingValue& value) {
    std::string text = std::holds_alternative<std::monostate>(value) ? "a list or a table" : text_of(value);
    std::ranges::replace(text, '\n', ' ');
    return text;
}

/// A key of the file.
struct Key {
    const SettingInfo* info;
    std::function<SettingValue(const U&)> get;
    std::function<void(U&, const SettingValue&)> set;
};

std::vector<Key> keys() {
    std::vector<Key> all;
    for (const Setting<U>& each : window_settings()) all.push_back({&each.info, each.member.get, each.member.set});
    for (const Setting<UiState>* each : remembered_settings())
        all.push_back({&each->info,
                       [each](const U& settings) {
                           const auto found = settings.own.find(each->info.id);
                           return found == settings.own.end() ? each->member.get({}) : found->second;
                       },
                       [each](U& settings, const SettingValue& value) {
                           settings.own.insert_or_assign(std::string{each->info.id}, value);
                       }});
    for (const ViewSetting& each : view_settings()) {
        if (!each.info.in(place::kUserFile)) continue;
        all.push_back({&each.info, [&each](const U& settings) { return each.member.get(settings.view); },
                       [&each](U& settings, const SettingValue& value) { each.member.set(settings.view, value); }});
    }
    return all;
}

/// $XDG_CONFIG_HOME/orrery/settings.toml, or ~/.config/orrery/settings.toml; empty if neither variable is set.
std::filesystem::path user_settings_path() {
    const std::filesystem::path folder = user_folder("XDG_CONFIG_HOME", ".config");
    return folder.empty() ? folder : folder / "settings.toml";
}

}  // namespace

std::span<const Setting<UserSettings>> window_settings() {
    static const std::vector<Setting<U>> all = window_table();
    return all;
}

UserSettingsRead read_user_settings(const std::filesystem::path& path) {
    UserSettingsRead result;
    std::error_code ignored;
    if (path.empty() || !std::filesystem::exists(path, ignored)) return result;
    result.settings.tour = false;  // it was shown, or the file is older than the tour
    toml::table table;
    try {
        result.replaceable = std::filesystem::is_regular_file(path, ignored);
        table = parsed_toml(text_of_file(path), path.string());
    } catch (const Error& error) {
        result.problems.push_back(fmt::format("{}; the default settings are used", error.what()));
        return result;
    }
    for (const Key& key : keys()) {
        const toml::node* node = table[key.info->section][key.info->id].node();
        if (!node) continue;
        const SettingValue value = toml_value(*key.info, *node);
        if (!std::holds_alternative<std::monostate>(value) && accepts(*key.info, value))
            key.set(result.settings, value);
        else
            result.problems.push_back(fmt::format("{}:{}: {}: expected {}, found {}; the default is used",
                                                  path.string(), node->source().begin.line, key.info->id,
                                                  expected_text(*key.info), found_text(value)));
    }
    return result;
}

void write_user_settings(const std::filesystem::path& path, const UserSettings& settings) {
    std::error_code ignored;  // OutputFile reports the error
    std::filesystem::create_directories(path.parent_path(), ignored);
    OutputFile file{path, Durable::kYes};
    std::string text = "# Written by Orrery when its window closes. `orrery --fresh` neither reads nor writes it.\n";
    std::string_view section;
    for (const Key& key : keys()) {
        if (section != key.info->section) text += fmt::format("\n[{}]\n", key.info->section);
        section = key.info->section;
        text += fmt::format("{} = {}\n", key.info->id, toml_text(key.get(settings)));
    }
    file.write(text);
    file.commit();
}

Remembered::Remembered(bool fresh) {
    if (fresh) return;
    path_ = user_settings_path();
    read_ = read_user_settings(path_);
    if (!read_.replaceable) path_.clear();
}

void Remembered::recall(UiState& state) const {
    for (const Setting<UiState>* each : remembered_settings())
        if (const auto found = read_.settings.own.find(each->info.id); found != read_.settings.own.end())
            each->member.set(state, found->second);
}

void Remembered::save(std::span<Feature* const> parts, const UiState& state,
                      const std::optional<WindowSize>& size) const {
    if (path_.empty()) return;
    UserSettings settings = read_.settings;
    if (size) settings.width = size->width, settings.height = size->height;
    for (const Feature* part : parts) part->remember(settings);
    for (const Setting<UiState>* each : remembered_settings())
        settings.own.insert_or_assign(std::string{each->info.id}, each->member.get(state));
    write(settings);
}

void Remembered::note_tour() const {
    if (path_.empty()) return;
    UserSettings settings = read_.settings;
    settings.tour = false;
    write(settings);
}

void Remembered::write(const UserSettings& settings) const {
    try {
        write_user_settings(path_, settings);
    } catch (const Error& error) {
        to_stderr("orrery: {}\n", error.what());
    }
}

}  // namespace orrery
