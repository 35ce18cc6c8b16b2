// SPDX-License-Identifier: MIT
#pragma once
#include <functional>
#include <map>
#include <string>
#include <type_traits>
#include <variant>
#include <vector>

#include "core/settings/setting.hpp"

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace orrery {

/// Adds options of settings to a command.
class SettingOptions {
public:
    explicit SettingOptions(CLI::App& app) : app_{app} {}

    /// Adds one option. Calls `typed` with its text, "true" or "false" for a flag. Unless empty, `standard` is shown as
    /// the default. A second setting with the same option only extends the help text.
    void add(const SettingInfo& info, const std::string& standard, std::function<void(const std::string&)> typed);

    /// Adds all command-line options of a table, which set `config`. They throw Error{kUsage} for invalid values.
    template <class Config>
    void add(std::span<const Setting<Config>> table, Config& config) {
        for (const Setting<Config>& each : table)
            if (each.info.in(place::kCommandLine)) add(each, config);
    }
    template <class Config>
    void add(const Setting<Config>& setting, Config& config) {
        add(setting.info, text_of(setting.member.get(config)), [&setting, &config](const std::string& text) {
            setting.member.set(config, parse_setting(setting.info, text));
        });
    }

private:
    CLI::App& app_;
    std::map<std::string, CLI::Option*> added_;                         // by option
    std::map<std::string_view, std::vector<CLI::Option*>> instead_of_;  // SettingInfo::instead_of
};

/// Converts to an nlohmann JSON value; null for an optional member without a value.
template <class Json>
Json json_of(const SettingValue& value) {
    return std::visit(
        []<class V>(const V& given) -> Json {
            if constexpr (std::is_same_v<V, std::monostate>)
                return nullptr;
            else
                return given;
        },
        value);
}

/// Adds {id: value} for each setting of a table that `wanted` selects.
template <class Json, class Config, class Wanted>
void add_settings(Json& object, std::span<const Setting<Config>> table, const Config& config, const Wanted& wanted) {
    for (const Setting<Config>& each : table)
        if (wanted(each.info)) object[std::string{each.info.id}] = json_of<Json>(each.member.get(config));
}

}  // namespace orrery
