// SPDX-License-Identifier: MIT
#pragma once
#include <string>
#include <type_traits>
#include <variant>

#include "core/settings/setting.hpp"

namespace orrery {

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
