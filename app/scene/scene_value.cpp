// SPDX-License-Identifier: MIT
#include "app/scene/scene_value.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <sstream>
#include <stdexcept>

namespace orrery {
namespace {

constexpr double kAngleDegree = std::numbers::pi / 180;

/// "a, b, c"
std::string joined(const std::vector<std::string_view>& words) { return fmt::format("{}", fmt::join(words, ", ")); }

/// In TOML, numbers with a fraction need a point or an exponent.
std::string with_point(std::string digits) {
    if (digits.find_first_of(".en") == std::string::npos) digits += ".0";  // n: nan, inf
    return digits;
}

}  // namespace

std::string place_of(const SceneSource& source, const toml::source_region& region) {
    return fmt::format("{}:{}:{}: ", source.name, region.begin.line, region.begin.column);
}

std::string SceneValue::found() const {
    if (node_.is_table()) return "a table";
    if (const auto* array = node_.as_array()) return fmt::format("a list of {}", array->size());
    std::ostringstream text;
    node_.visit([&](const auto& value) {
        if constexpr (toml::is_value<decltype(value)>) text << value;
    });
    std::string shown = text.str();
    std::ranges::replace(shown, '\n', ' ');
    return shown.size() > 60 ? shown.substr(0, 57) + "..." : shown;
}

void SceneValue::refuse(const std::string& expected) const {
    usage_error(fmt::format("{}{}: expected {}, found {}", place_of(source_, node_.source()), key_, expected, found()));
}

double SceneValue::real(double low, double high) const {
    const auto value = node_.value<double>();
    if (!node_.is_number() || !value || !std::isfinite(*value) || *value < low || *value > high) {
        refuse(high < 1e300   ? fmt::format("a number from {:g} to {:g}", low, high)
               : low > -1e300 ? fmt::format("a number of {:g} or more", low)
                              : "a number");
    }
    return *value;
}

std::int64_t SceneValue::whole(std::int64_t low, std::int64_t high) const {
    const auto* value = node_.as_integer();
    if (!value || value->get() < low || value->get() > high)
        refuse(high == INT64_MAX ? fmt::format("a whole number of {} or more", low)
                                 : fmt::format("a whole number from {} to {}", low, high));
    return value->get();
}

bool SceneValue::flag() const {
    const auto* value = node_.as_boolean();
    if (!value) refuse("true or false");
    return value->get();
}

std::string SceneValue::text() const {
    const auto* value = node_.as_string();
    if (!value) refuse("a text in quotes");
    return value->get();
}

SettingValue SceneValue::setting(const SettingInfo& info) const {
    SettingValue value = toml_value(info, node_);
    if (std::holds_alternative<std::monostate>(value) || !accepts(info, value)) refuse(expected_text(info));
    return value;
}

std::string SceneValue::one_of(const std::vector<std::string_view>& choices) const {
    const auto* value = node_.as_string();
    if (!value || std::ranges::find(choices, std::string_view{value->get()}) == choices.end())
        refuse("one of " + joined(choices));
    return value->get();
}

std::filesystem::path SceneValue::path() const {
    const std::filesystem::path path = text();
    if (path.empty()) refuse("a path");
    return path.is_absolute() ? path : source_.folder / path;
}

glm::dvec3 SceneValue::vector() const {
    const auto* array = node_.as_array();
    if (!array || array->size() != 3) refuse("a list of three numbers");
    glm::dvec3 result{};
    for (int i = 0; i < 3; ++i)
        result[i] = SceneValue{source_, key_, (*array)[static_cast<std::size_t>(i)]}.real(-1e300, 1e300);
    return result;
}

double SceneValue::degrees(double low, double high) const { return real(low, high) * kAngleDegree; }

std::vector<SceneValue> SceneValue::list() const {
    const auto* array = node_.as_array();
    if (!array) refuse("a list");
    std::vector<SceneValue> result;
    for (const toml::node& item : *array) result.emplace_back(source_, key_, item);
    return result;
}

std::optional<SceneValue> SceneValue::member(std::string_view name, const std::vector<std::string_view>& known) const {
    const auto* table = node_.as_table();
    if (!table) refuse("a table { " + joined(known) + " }");
    for (const auto& [key, value] : *table)
        if (std::ranges::find(known, key.str()) == known.end())
            usage_error(fmt::format("{}{}: no such key '{}'; known keys: {}", place_of(source_, key.source()), key_,
                                    key.str(), joined(known)));
    const toml::node* node = table->get(name);
    if (!node) return std::nullopt;
    return SceneValue{source_, fmt::format("{}, {}", key_, name), *node};
}

std::string toml_text(bool value) { return value ? "true" : "false"; }
std::string toml_text(double value) { return with_point(fmt::format("{}", value)); }
std::string toml_text(float value) { return with_point(fmt::format("{}", value)); }
std::string toml_text(const SettingValue& value) {
    return std::visit(
        []<class V>(const V& given) -> std::string {
            if constexpr (std::is_same_v<V, std::monostate>)
                throw std::logic_error{"TOML has no text for nothing"};
            else
                return toml_text(given);
        },
        value);
}

SettingValue toml_value(const SettingInfo& info, const toml::node& node) {
    if (const auto* flag = node.as_boolean()) return flag->get();
    if (const auto* text = node.as_string()) return text->get();
    if (const auto* whole = node.as_integer()) return whole->get();
    const auto* real = node.as_floating_point();
    // 1280.0 is accepted as a whole number, 1280.5 is not.
    return real ? from_number(info, real->get()) : SettingValue{};
}

/// 15 digits survive the round trip through radians.
std::string toml_degrees(double radians) { return with_point(fmt::format("{:.15g}", radians / kAngleDegree)); }
std::string toml_text(const glm::dvec3& v) {
    return fmt::format("[{}, {}, {}]", toml_text(v.x), toml_text(v.y), toml_text(v.z));
}

std::string toml_text(const std::string& value) {
    std::string text = "\"";
    for (const char c : value) {
        if (c == '"' || c == '\\')
            (text += '\\') += c;
        else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f)
            text += fmt::format("\\u{:04X}", static_cast<unsigned char>(c));
        else
            text += c;
    }
    return text + '"';
}

}  // namespace orrery
