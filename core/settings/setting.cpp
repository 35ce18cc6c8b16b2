// SPDX-License-Identifier: MIT
#include "core/settings/setting.hpp"

#include <fmt/format.h>

#include <cmath>

#include "core/base/error.hpp"
#include "core/base/menu.hpp"
#include "core/base/text.hpp"

namespace orrery {
namespace {

template <class... Cases>
struct Overloaded : Cases... {
    using Cases::operator()...;
};
template <class... Cases>
Overloaded(Cases...) -> Overloaded<Cases...>;

std::string sentence(std::string text) {
    if (!text.empty() && text.front() >= 'a' && text.front() <= 'z')
        text.front() = static_cast<char>(text.front() - 'a' + 'A');
    return text;
}

std::string ids_text(const ChoiceKind& kind) {
    std::string text;
    for (const SettingChoice& choice : kind.choices) text += (text.empty() ? "" : ", ") + std::string{choice.id};
    return text;
}

std::string sizes_text(const SizesKind& kind) {
    std::string text;
    for (const OfferedNumber& size : kind.sizes) text += fmt::format("{}{}", text.empty() ? "" : ", ", size.value);
    return text;
}

/// " (did you mean …?)" for a choice, else empty.
std::string meant_by(const SettingInfo& info, const std::string& text) {
    const auto* kind = std::get_if<ChoiceKind>(&info.kind);
    return kind ? did_you_mean(kind->choices, text) : std::string{};
}

bool unlimited(std::int64_t high) { return high == std::numeric_limits<std::int64_t>::max(); }

std::string multiples_text(const WholeKind& kind) {
    return kind.step > 1 ? fmt::format(", a multiple of {}", kind.step) : std::string{};
}

bool accepts_number(const RealKind& kind, double number) {
    return number >= kind.low && number <= kind.high && !(kind.above_low && number == kind.low) &&
           std::isfinite(number);
}

}  // namespace

std::string flag_of(const SettingInfo& info) {
    if (!info.flag.empty()) return std::string{info.flag};
    std::string flag{info.id};
    std::ranges::replace(flag, '_', '-');
    return flag;
}

std::string first_flag_of(const SettingInfo& info) {
    const std::string flags = flag_of(info);
    return flags.substr(0, flags.find(','));
}

std::string doc_of(const SettingInfo& info) {
    std::string text{info.doc};
    if (!info.unit.empty()) text += fmt::format(" ({})", info.unit);
    return info.group && !info.group->of.empty() ? fmt::format("{}: {}", info.group->of, text) : text;
}

std::string help_of(const SettingInfo& info) { return sentence(doc_of(info)); }
std::string tip_of(const SettingInfo& info) {
    std::string text = sentence(std::string{info.doc});
    if (!info.unit.empty()) text += fmt::format(" ({})", info.unit);
    if (!info.key.empty()) text += fmt::format(". Key {}", info.key);
    return text;
}

std::string range_text(double low, double high) {
    if (high < 1e300) return fmt::format("{:g} to {:g}", low, high);
    return low > -1e300 ? fmt::format("{:g} or more", low) : "a number";
}

std::string takes_text(const SettingInfo& info) {
    return std::visit(
        Overloaded{[](const FlagKind&) -> std::string { return "true or false"; },
                   [](const WholeKind& kind) {
                       return range_text(static_cast<double>(kind.low),
                                         unlimited(kind.high) ? kUnlimited : static_cast<double>(kind.high)) +
                              multiples_text(kind);
                   },
                   [](const SizesKind& kind) { return sizes_text(kind); },
                   [](const RealKind& kind) {
                       if (kind.above_low && !(kind.high < 1e300)) return fmt::format("a number above {:g}", kind.low);
                       if (kind.above_low) return fmt::format("above {:g} to {:g}", kind.low, kind.high);
                       return range_text(kind.low, kind.high);
                   },
                   [](const ChoiceKind& kind) { return ids_text(kind); },
                   [](const TextKind& kind) { return std::string{kind.takes.empty() ? "text" : kind.takes}; }},
        info.kind);
}

std::string expected_text(const SettingInfo& info) {
    return std::visit(
        Overloaded{[](const FlagKind&) -> std::string { return "true or false"; },
                   [](const WholeKind& kind) {
                       if (unlimited(kind.high)) return fmt::format("a whole number of {} or more", kind.low);
                       return fmt::format("a whole number from {} to {}{}", kind.low, kind.high, multiples_text(kind));
                   },
                   [](const SizesKind& kind) { return "one of " + sizes_text(kind); },
                   [](const RealKind& kind) {
                       if (kind.above_low && !(kind.high < 1e300)) return fmt::format("a number above {:g}", kind.low);
                       if (kind.above_low) return fmt::format("a number above {:g}, up to {:g}", kind.low, kind.high);
                       if (kind.high < 1e300) return fmt::format("a number from {:g} to {:g}", kind.low, kind.high);
                       return kind.low > -1e300 ? fmt::format("a number of {:g} or more", kind.low) : "a number";
                   },
                   [](const ChoiceKind& kind) { return "one of " + ids_text(kind); },
                   [](const TextKind& kind) { return std::string{kind.takes.empty() ? "a text" : kind.takes}; }},
        info.kind);
}

std::string text_of(const SettingValue& value) {
    return std::visit(
        Overloaded{[](std::monostate) { return std::string{}; }, [](const std::string& text) { return text; },
                   [](const auto& number) { return fmt::format("{}", number); }},
        value);
}

bool accepts(const SettingInfo& info, const SettingValue& value) {
    if (std::holds_alternative<std::monostate>(value)) return true;
    const auto* whole = std::get_if<std::int64_t>(&value);
    return std::visit(
        Overloaded{[&](const FlagKind&) { return std::holds_alternative<bool>(value); },
                   [&](const WholeKind& kind) {
                       return whole && *whole >= kind.low && *whole <= kind.high && *whole % kind.step == 0;
                   },
                   [&](const SizesKind& kind) {
                       return whole && std::ranges::find(kind.sizes, *whole, &OfferedNumber::value) != kind.sizes.end();
                   },
                   [&](const RealKind& kind) {
                       if (const auto* number = std::get_if<double>(&value)) return accepts_number(kind, *number);
                       if (whole) return accepts_number(kind, static_cast<double>(*whole));
                       // Compare the bounds as floats too: 0.01f is below 0.01.
                       const auto* number = std::get_if<float>(&value);
                       return number && std::isfinite(*number) && *number >= static_cast<float>(kind.low) &&
                              *number <= static_cast<float>(kind.high) &&
                              !(kind.above_low && *number == static_cast<float>(kind.low));
                   },
                   [&](const ChoiceKind& kind) {
                       const auto* id = std::get_if<std::string>(&value);
                       return id && std::ranges::find(kind.choices, std::string_view{*id}, &SettingChoice::id) !=
                                        kind.choices.end();
                   },
                   [&](const TextKind& kind) {
                       const auto* text = std::get_if<std::string>(&value);
                       return text && (!kind.accepts || kind.accepts(*text));
                   }},
        info.kind);
}

void require_accepted(const SettingInfo& info, const SettingValue& value) {
    if (accepts(info, value)) return;
    if (info.explain) info.explain(text_of(value));
    usage_error(fmt::format("{}: expected {}, found {}{}", info.id, expected_text(info), text_of(value),
                            meant_by(info, text_of(value))));
}

SettingValue parse_setting(const SettingInfo& info, const std::string& text) {
    const auto refuse = [&](const std::string& expected) {
        if (info.explain) info.explain(text);
        usage_error(
            fmt::format("--{}: expected {}, found {}{}", first_flag_of(info), expected, text, meant_by(info, text)));
    };
    const auto checked = [&](SettingValue value) {
        if (!accepts(info, value)) refuse(expected_text(info));
        return value;
    };
    const auto whole = [&]() -> SettingValue {
        std::int64_t number = 0;
        if (!read_number(text, number)) refuse(expected_text(info));
        return number;
    };
    return std::visit(
        Overloaded{[&](const FlagKind& kind) -> SettingValue {
                       const std::string_view off = kind.off.empty() ? "false" : kind.off;
                       const std::string_view on = kind.on.empty() ? "true" : kind.on;
                       if (text != on && text != off) refuse(fmt::format("{} or {}", on, off));
                       return text == on;
                   },
                   [&](const WholeKind&) { return checked(whole()); },
                   [&](const SizesKind&) { return checked(whole()); },
                   [&](const RealKind&) {
                       double number = 0;
                       if (!read_number(text, number)) refuse(expected_text(info));
                       return checked(number);
                   },
                   [&](const ChoiceKind&) { return checked(text); }, [&](const TextKind&) { return checked(text); }},
        info.kind);
}

SettingValue from_number(const SettingInfo& info, double number) {
    return std::visit(Overloaded{[&](const FlagKind&) -> SettingValue { return number != 0; },
                                 [&](const RealKind&) -> SettingValue { return number; },
                                 // Keeps a number that is not whole, so that accepts() rejects it.
                                 [&](const auto&) -> SettingValue {
                                     if (number == std::floor(number) && std::abs(number) < 9e18)
                                         return static_cast<std::int64_t>(number);
                                     return number;
                                 }},
                      info.kind);
}

double to_number(const SettingValue& value) {
    return std::visit(
        []<class V>(const V& given) -> double {
            if constexpr (std::is_arithmetic_v<V>)
                return static_cast<double>(given);
            else
                throw std::logic_error{"to_number() of a setting that is not a number"};
        },
        value);
}

std::string offered_text(const OfferedNumber& offered) {
    if (!offered.name.empty()) return std::string{offered.name};
    return offered.value == 0 ? "auto" : fmt::format("{}", offered.value);
}

}  // namespace orrery
