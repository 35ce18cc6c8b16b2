// SPDX-License-Identifier: MIT
#include "app/window/user_settings.hpp"

#include <fmt/format.h>
#include <toml++/toml.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <sstream>

#include "app/render/color_maps.hpp"
#include "app/render/color_modes.hpp"
#include "app/ui/panels.hpp"
#include "core/base/output_file.hpp"

namespace orrery {
namespace {

/// A key of the file: how it is read (false: no such value) and written.
struct Key {
    const char *section, *name;
    std::function<bool(UserSettings&, const toml::node&)> read;
    std::function<std::string(const UserSettings&)> write;
};

template <class Of>
Key flag(const char* section, const char* name, Of of) {
    return {section, name,
            [of](UserSettings& s, const toml::node& node) {
                const auto value = node.value_exact<bool>();
                if (value) of(s) = *value;
                return value.has_value();
            },
            [of](const UserSettings& s) { return std::string{of(s) ? "true" : "false"}; }};
}

template <class Of>
Key number(const char* section, const char* name, double low, double high, Of of) {
    return {section, name,
            [=](UserSettings& s, const toml::node& node) {
                const auto value = node.is_number() ? node.value<double>() : std::nullopt;
                if (!value || !(*value >= low && *value <= high)) return false;
                of(s) = static_cast<std::remove_reference_t<decltype(of(s))>>(*value);
                return true;
            },
            [of](const UserSettings& s) { return fmt::format("{:.6g}", static_cast<double>(of(s))); }};
}

/// The id of a line of a menu.
template <class Menu, class Of>
Key id(const char* section, const char* name, const Menu& menu, Of of) {
    return {section, name,
            [menu, of](UserSettings& s, const toml::node& node) {
                const auto value = node.value_exact<std::string>();
                if (!value || std::ranges::none_of(menu, [&](const auto& entry) { return entry.id == *value; }))
                    return false;
                of(s) = *value;
                return true;
            },
            [of](const UserSettings& s) { return fmt::format("\"{}\"", of(s)); }};
}

/// The value that a line of a menu stands for, by its id.
template <class Menu, class Value, class Of>
Key by_id(const char* section, const char* name, const Menu& menu, Value value, Of of) {
    return {section, name,
            [menu, value, of](UserSettings& s, const toml::node& node) {
                const auto text = node.value_exact<std::string>();
                for (const auto& entry : menu)
                    if (text && entry.id == *text) return of(s) = entry.*value, true;
                return false;
            },
            [menu, value, of](const UserSettings& s) {
                for (const auto& entry : menu)
                    if (entry.*value == of(s)) return fmt::format("\"{}\"", entry.id);
                return std::string{"\"\""};
            }};
}

struct Id {
    std::string_view id;
};
std::vector<Id> choices_of_color_map() {
    std::vector<Id> choices{{kAutoColorMap}};
    for (const ColorMapEntry& entry : color_maps()) choices.push_back({entry.id});
    return choices;
}

std::vector<Key> keys() {
    return {
        number(
            "window", "width", 64, 16384, [](auto& s) -> auto& { return s.width; }),
        number(
            "window", "height", 64, 16384, [](auto& s) -> auto& { return s.height; }),
        number(
            "window", "text_scale", kLeastTextScale, kMostTextScale, [](auto& s) -> auto& { return s.text_scale; }),
        id(
            "window", "panel", panels(), [](auto& s) -> auto& { return s.panel; }),
        flag(
            "window", "panels", [](auto& s) -> auto& { return s.panels; }),
        flag(
            "window", "figures", [](auto& s) -> auto& { return s.figures; }),
        by_id(
            "view", "mode", draw_modes(), &DrawModeEntry::mode, [](auto& s) -> auto& { return s.view.mode; }),
        number(
            "view", "exposure", -20, 20, [](auto& s) -> auto& { return s.view.exposure; }),
        number(
            "view", "size", 0.01, 100, [](auto& s) -> auto& { return s.view.size; }),
        number(
            "view", "glow", 0, 1, [](auto& s) -> auto& { return s.view.glow; }),
        number(
            "view", "stretch", 0.001, 1000, [](auto& s) -> auto& { return s.view.stretch; }),
        by_id(
            "view", "tone_map", tone_maps(), &ToneMapEntry::tone_map, [](auto& s) -> auto& { return s.view.tone_map; }),
        id(
            "view", "color_mode", color_modes(), [](auto& s) -> auto& { return s.view.color_mode; }),
        id(
            "view", "color_map", choices_of_color_map(), [](auto& s) -> auto& { return s.view.color_map; }),
    };
}

}  // namespace

std::filesystem::path user_settings_path() {
    const auto folder = [](const char* variable) {
        const char* text = std::getenv(variable);
        return std::filesystem::path{text ? text : ""};
    };
    std::filesystem::path config = folder("XDG_CONFIG_HOME");
    if (!config.is_absolute()) {  // as the XDG base directory specification says
        config = folder("HOME");
        if (config.empty()) return {};
        config /= ".config";
    }
    return config / "orrery" / "settings.toml";
}

UserSettingsRead read_user_settings(const std::filesystem::path& path) {
    UserSettingsRead result;
    std::error_code ignored;
    if (path.empty() || !std::filesystem::exists(path, ignored)) return result;
    std::ostringstream text;
    text << std::ifstream{path}.rdbuf();
    toml::table table;
    try {
        table = toml::parse(text.str());
    } catch (const toml::parse_error& error) {
        result.problems.push_back(fmt::format("{}:{}: {}; the default settings are used", path.string(),
                                              error.source().begin.line, error.description()));
        return result;
    }
    for (const Key& key : keys()) {
        const toml::node* node = table[key.section][key.name].node();
        if (node && !key.read(result.settings, *node))
            result.problems.push_back(fmt::format("{}:{}: {} cannot have this value; the default is used",
                                                  path.string(), node->source().begin.line, key.name));
    }
    return result;
}

void write_user_settings(const std::filesystem::path& path, const UserSettings& settings) {
    std::error_code ignored;  // OutputFile tells what is wrong
    std::filesystem::create_directories(path.parent_path(), ignored);
    OutputFile file{path};
    std::string text = "# Written by Orrery when its window closes. `orrery --fresh` neither reads nor writes it.\n";
    std::string section;
    for (const Key& key : keys()) {
        if (section != key.section) text += fmt::format("\n[{}]\n", key.section);
        section = key.section;
        text += fmt::format("{} = {}\n", key.name, key.write(settings));
    }
    file.write(text);
    file.commit();
}

}  // namespace orrery
