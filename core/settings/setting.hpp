// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <concepts>
#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace orrery {

// A setting is a struct member that users can choose. A table beside the struct describes it once; the command line,
// scene files, user settings, checkpoints, columns of `bench`, panels and `orrery list` iterate over the tables.
// SettingMember binds a description to its member.

/// The value of any setting; enumerators are stored by id. monostate: an empty optional.
using SettingValue = std::variant<std::monostate, bool, std::int64_t, float, double, std::string>;

/// One value of a setting with a menu.
struct SettingChoice {
    std::string_view id, label = {}, doc = {};
    bool offered = true;  ///< by panels
};

/// A whole number offered by a panel. Without a name it is shown as the number, 0 as "auto".
struct OfferedNumber {
    std::int64_t value;
    std::string_view name = {};
};

inline constexpr double kUnlimited = std::numeric_limits<double>::infinity();

/// Range and number format (printf) of a slider, where the accepted range would be too wide to be practical. `low` =
/// `high`: the accepted range.
struct SliderSpan {
    double low = 0, high = 0;
    const char* format = "%.2f";
    bool logarithmic = false;
};

struct FlagKind {
    std::string_view off = {}, on = {};  ///< option values on the command line, in place of a plain flag
};
struct WholeKind {
    std::int64_t low, high;  ///< both accepted; INT64_MAX: no limit
    std::int64_t step = 1;   ///< only multiples are accepted
    SliderSpan slider = {};
};
/// Only these whole numbers are accepted.
struct SizesKind {
    std::vector<OfferedNumber> sizes;
};
struct RealKind {
    double low, high;  ///< accepted range; kUnlimited: no limit
    SliderSpan slider = {};
    bool above_low = false;  ///< `low` itself is not accepted
};
struct ChoiceKind {
    std::vector<SettingChoice> choices;
};
struct TextKind {
    std::string_view takes = {};                  ///< "X,Y,Z"; empty: any text
    bool (*accepts)(std::string_view) = nullptr;  ///< null: any text
    std::string_view example = {};                ///< that is accepted
};
using SettingKind = std::variant<FlagKind, WholeKind, SizesKind, RealKind, ChoiceKind, TextKind>;

/// Settings that belong together.
struct SettingGroup {
    std::string_view label = {};  ///< heading in a panel
    std::string_view of = {};     ///< subject put before the description: "tree engines"
    bool replaced_whole = false;  ///< one of them on the command line overrides all of the scene file
    unsigned readers = 0;         ///< bits of engine capabilities, one of which an engine needs to read them
};

/// Places that offer a setting. Checkpoints store all settings of an engine.
namespace place {
inline constexpr unsigned kCommandLine = 1, kSceneFile = 2, kColumn = 4, kPanel = 8;
inline constexpr unsigned kUserFile = 16;  ///< remembered by the window; not by default
inline constexpr unsigned kDefault = kCommandLine | kSceneFile | kColumn | kPanel;
}  // namespace place

struct SettingInfo {
    std::string_view id;     ///< in files and JSON; unique in its table
    std::string_view label;  ///< in panels
    std::string_view doc;    ///< one line, starting in lower case: --help, tooltip, `orrery list`, the guide
    SettingKind kind;
    std::string_view flag =
        {};  ///< command line: "leaf" for --leaf, "a,b" for two spellings; empty: the id with - for _
    std::string_view column = {};  ///< of `bench`; empty: the id
    std::string_view unit = {};
    std::string_view key = {};        ///< window key that also changes it
    std::string_view otherwise = {};  ///< why a panel disables it where it does not apply; empty: hidden instead
    const SettingGroup* group = nullptr;
    unsigned readers = 0;              ///< 0: those of the group
    std::string_view instead_of = {};  ///< the command line accepts only one of the settings with the same value here
    /// Throws Error{kUsage} when a rejected value needs more explanation than the expected range.
    void (*explain)(std::string_view found) = nullptr;
    unsigned places = place::kDefault;
    std::string_view section = {};  ///< of scene files and of the user's settings; set by the table if empty

    bool in(unsigned where) const { return (places & where) != 0; }
};

/// "leaf", "tile-p": without dashes.
std::string flag_of(const SettingInfo& info);
/// The first spelling.
std::string first_flag_of(const SettingInfo& info);
/// "Tree engines: most bodies of a leaf; 0: the engine chooses", with group and unit, as a sentence for --help.
std::string help_of(const SettingInfo& info);
/// Same as help_of(), starting in lower case, for tables.
std::string doc_of(const SettingInfo& info);
/// Only `doc`, as a sentence: for a tooltip under its group's heading.
std::string tip_of(const SettingInfo& info);

/// "0 to 64", "true or false", "a, b, c".
std::string takes_text(const SettingInfo& info);
/// "-20 to 20", "0 or more"
std::string range_text(double low, double high);
/// "a whole number from 0 to 64", "one of a, b, c"
std::string expected_text(const SettingInfo& info);
/// The shortest text that parses to the same value; monostate is empty.
std::string text_of(const SettingValue& value);

bool accepts(const SettingInfo& info, const SettingValue& value);
/// Throws Error{kUsage} with the id, what was expected and what was found.
void require_accepted(const SettingInfo& info, const SettingValue& value);
/// Parses a command-line value. Throws Error{kUsage} as require_accepted(), naming the option.
SettingValue parse_setting(const SettingInfo& info, const std::string& text);
/// Converts a number from a file that stores only doubles (flags too) to the setting's type.
SettingValue from_number(const SettingInfo& info, double number);
/// The inverse of from_number(); only for flags and numbers.
double to_number(const SettingValue& value);

/// The number as shown in a panel.
std::string offered_text(const OfferedNumber& offered);

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
    /// The section of scene files in which its settings are keys.
    explicit SettingTable(std::string_view section = {}) : section_{section} {}
    void operator()(SettingInfo info, SettingMember<Config> member, std::function<bool(const Config&)> applies = {},
                    std::function<std::vector<OfferedNumber>(const Config&)> offers = {}) {
        if (info.section.empty()) info.section = section_;
        all_.push_back({std::move(info), std::move(member), std::move(applies), std::move(offers)});
    }
    std::vector<Setting<Config>> all() && { return std::move(all_); }

private:
    std::string_view section_;
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
