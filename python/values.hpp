// SPDX-License-Identifier: MIT
// Settings by their tables: keyword arguments in, plain values out.
#pragma once
#include <optional>
#include <span>
#include <string>

#include "core/engines/config.hpp"
#include "core/settings/setting.hpp"
#include "python/bindings.hpp"

namespace orrery::python {

/// Converts an argument to the value of a setting. Throws TypeError for another type, UsageError for an invalid value.
SettingValue value_of(const SettingInfo& info, const py::handle& given);
py::object object_of(const SettingValue& value);
/// True if a keyword names this setting: by its id, or by an option of the command line, with _ for -.
bool means(const std::string& keyword, const SettingInfo& info);

/// Sets the setting with this keyword in `config`; false if the table has none.
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

/// All settings that differ from `standard`, by id.
template <class Config>
py::dict dict_of(std::span<const Setting<Config>> table, const Config& config, const Config& standard) {
    py::dict all;
    for (const Setting<Config>& each : table) {
        const SettingValue value = each.member.get(config);
        if (value != each.member.get(standard)) all[py::str(std::string{each.info.id})] = object_of(value);
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

/// A request for an engine. Values that are not set are taken from `base`.
struct EngineWish {
    std::optional<std::string> engine, backend, precision;
    py::dict settings;
};
/// `base_given`: use its backend; otherwise the engine's best one here. Throws TypeError for a keyword that no engine
/// has; UsageError for one that this engine lacks, or with an invalid value; MachineError if it cannot run here.
EngineConfig engine_of(EngineConfig base, bool base_given, const EngineWish& wish);
/// All settings of this engine, by id, with "engine", "backend" and "precision".
py::dict described(const EngineConfig& config);

}  // namespace orrery::python
