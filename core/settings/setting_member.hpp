// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <concepts>
#include <stdexcept>
#include <type_traits>
#include <utility>

#include "core/settings/setting.hpp"

namespace orrery {

/// How a setting is read from a `Config` and written to it.
template <class Config>
struct SettingMember {
    std::function<SettingValue(const Config&)> get;
    std::function<void(Config&, const SettingValue&)> set;  ///< with an accepted value
};

/// A setting of `Config`.
template <class Config>
struct Setting {
    SettingInfo info;
    SettingMember<Config> member;
    std::function<bool(const Config&)> applies;                       ///< empty: always
    std::function<std::vector<OfferedNumber>(const Config&)> offers;  ///< whole numbers offered by a panel

    bool applies_to(const Config& config) const { return !applies || applies(config); }
};

namespace setting_detail {

template <class T>
SettingValue value_of(const T& member) {
    if constexpr (requires { member.has_value(); })
        return member ? value_of(*member) : SettingValue{};
    else if constexpr (std::same_as<T, bool> || std::same_as<T, float> || std::same_as<T, double> ||
                       std::same_as<T, std::string>)
        return member;
    else {
        static_assert(std::is_integral_v<T>);
        return static_cast<std::int64_t>(member);
    }
}

template <class T>
void assign(T& member, const SettingValue& value) {
    if constexpr (requires { member.has_value(); }) {
        if (std::holds_alternative<std::monostate>(value))
            member.reset();
        else
            assign(member.emplace(), value);
    } else {
        std::visit(
            [&]<class V>(const V& given) {
                if constexpr (std::same_as<T, V>)
                    member = given;
                else if constexpr (std::is_arithmetic_v<T> && !std::same_as<T, bool> && std::is_arithmetic_v<V> &&
                                   !std::same_as<V, bool>)
                    member = static_cast<T>(given);
                else
                    throw std::logic_error{"setting assigned a value of the wrong kind"};
            },
            value);
    }
}

template <auto First, auto... Rest>
auto& follow(auto& from) {
    if constexpr (sizeof...(Rest) == 0)
        return from.*First;
    else
        return follow<Rest...>(from.*First);
}

template <class T>
struct OwnerOf;
template <class Owner, class Member>
struct OwnerOf<Member Owner::*> {
    using type = Owner;
};

}  // namespace setting_detail

/// Accesses the member at the end of a path: member<&EngineConfig::tree, &TreeConfig::leaf>().
template <auto First, auto... Rest>
auto member() {
    using Config = typename setting_detail::OwnerOf<decltype(First)>::type;
    return SettingMember<Config>{
        [](const Config& config) { return setting_detail::value_of(setting_detail::follow<First, Rest...>(config)); },
        [](Config& config, const SettingValue& value) {
            setting_detail::assign(setting_detail::follow<First, Rest...>(config), value);
        }};
}

/// Accesses an enumeration by the ids of a static menu; `value` is the entry's member with the enumerator.
template <auto First, auto... Rest, class Menu, class Entry, class Value>
auto member(const Menu& menu, Value Entry::*value) {
    using Config = typename setting_detail::OwnerOf<decltype(First)>::type;
    const std::span<const Entry> lines{menu};
    return SettingMember<Config>{
        [lines, value](const Config& config) -> SettingValue {
            const auto at = std::ranges::find(lines, setting_detail::follow<First, Rest...>(config), value);
            return std::string{at == lines.end() ? std::string_view{} : (*at).id};
        },
        [lines, value](Config& config, const SettingValue& given) {
            const auto at = std::ranges::find(lines, std::string_view{std::get<std::string>(given)}, &Entry::id);
            if (at == lines.end()) throw std::logic_error{"setting assigned an id that is not in its menu"};
            setting_detail::follow<First, Rest...>(config) = (*at).*value;
        }};
}

/// Menu entries as choices.
template <class Menu>
ChoiceKind choices_of(const Menu& menu) {
    ChoiceKind kind;
    for (const auto& entry : menu) {
        if (!kind.choices.empty() && kind.choices.back().id == entry.id) continue;  // same engine, other backend
        if constexpr (requires { entry.label; })
            kind.choices.push_back({entry.id, entry.label, entry.doc});
        else
            kind.choices.push_back({entry.id, entry.id, entry.doc});
    }
    return kind;
}

/// Collects a table, one call per setting.
template <class Config>
class SettingTable {
public:
    void operator()(SettingInfo info, SettingMember<Config> member, std::function<bool(const Config&)> applies = {},
                    std::function<std::vector<OfferedNumber>(const Config&)> offers = {}) {
        all_.push_back({std::move(info), std::move(member), std::move(applies), std::move(offers)});
    }
    std::vector<Setting<Config>> all() && { return std::move(all_); }

private:
    std::vector<Setting<Config>> all_;
};

/// The setting with this id. Throws std::logic_error if the table has none.
template <class Config>
const Setting<Config>& setting(std::span<const Setting<Config>> table, std::string_view id) {
    for (const Setting<Config>& each : table)
        if (each.info.id == id) return each;
    throw std::logic_error{"no setting " + std::string{id}};
}

/// Checks, then assigns. Throws Error{kUsage} for a value that the setting does not accept.
template <class Config>
void assign(const Setting<Config>& setting, Config& config, const SettingValue& value) {
    require_accepted(setting.info, value);
    setting.member.set(config, value);
}

/// Throws Error{kUsage} for the first setting of `config` out of range.
template <class Config>
void require_accepted(std::span<const Setting<Config>> table, const Config& config) {
    for (const Setting<Config>& each : table) require_accepted(each.info, each.member.get(config));
}

}  // namespace orrery
