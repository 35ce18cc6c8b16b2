// SPDX-License-Identifier: MIT
// Settings by their tables: keyword arguments in, plain values out.
#pragma once
#include <optional>
#include <span>
#include <string>

#include "core/engines/config.hpp"
#include "core/settings/setting_member.hpp"
#include "python/bindings.hpp"

namespace orrery::python {

/// What a setting is set to. Throws TypeError for another type, UsageError for a value that is not accepted.
SettingValue value_of(const SettingInfo& info, const py::handle& given);
py::object object_of(const SettingValue& value);
/// Whether a keyword argument means this setting: by its id, or by an option of the command line, with _ for -.
bool means(const std::string& keyword, const SettingInfo& info);

/// Into `config`, if the table has a setting that the keyword means; false: it has none.
template <class Config>
bool assign_keyword(std::span<const Setting<Config>> table, Config& config, const std::string& keyword,
                    const py::handle& given) {
    for (const Setting<Config>& each : table) {
        if (!means(keyword, each.info)) continue;
        each.member.set(config, value_of(each.info, given));
        return true;
    }
    return false;
}

/// All settings that differ from `usual`, by their ids.
template <class Config>
py::dict dict_of(std::span<const Setting<Config>> table, const Config& config, const Config& usual) {
    py::dict all;
    for (const Setting<Config>& each : table) {
        const SettingValue value = each.member.get(config);
        if (value != each.member.get(usual)) all[py::str(std::string{each.info.id})] = object_of(value);
    }
    return all;
}
/// The inverse of dict_of().
template <class Config>
Config config_of(std::span<const Setting<Config>> table, Config config, const py::dict& all) {
    for (const auto& [key, given] : all) {
        const Setting<Config>& found = setting(table, py::cast<std::string>(key));
        found.member.set(config, given.is_none() ? SettingValue{} : value_of(found.info, given));
    }
    return config;
}

/// What a person asks of an engine. What is not said stays as in `base`.
struct EngineWish {
    std::optional<std::string> engine, backend, precision;
    py::dict settings;
};
/// `base_given`: its backend counts; otherwise it is the best that the engine has here. Throws TypeError for a keyword
/// that no engine knows; UsageError for one that this engine lacks, or whose value it does not accept; MachineError
/// where it cannot run here.
EngineConfig engine_of(EngineConfig base, bool base_given, const EngineWish& wish);
/// The settings that this engine reads, by their ids, with "engine", "backend" and "precision".
py::dict described(const EngineConfig& config);

}  // namespace orrery::python
