// SPDX-License-Identifier: MIT
#include "app/ui/setting_control.hpp"

#include <algorithm>
#include <limits>
#include <string>

namespace orrery {
namespace {

/// The slider's part of the range; the whole range if the description gives none.
SliderSpan span_of(const SliderSpan& span, double low, double high) {
    if (span.low != span.high) return span;
    return {low, high, span.format, span.logarithmic};
}

std::optional<SettingValue> size_combo(Widgets& ui, const SettingInfo& info, std::int64_t now,
                                       const std::vector<OfferedNumber>& offers, std::string_view why_not) {
    const auto at = std::ranges::find(offers, now, &OfferedNumber::value);
    const std::string shown = why_not.empty() ? offered_text(at == offers.end() ? OfferedNumber{now} : *at) : "none";
    if (!ui.begin_combo(info.label, shown, tip_of(info), why_not)) return std::nullopt;
    std::optional<SettingValue> chosen;
    for (const OfferedNumber& offered : offers)
        if (ui.choice(offered_text(offered), offered.value == now, "")) chosen = offered.value;
    ui.end_combo();
    return chosen;
}

std::optional<SettingValue> id_combo(Widgets& ui, const SettingInfo& info, const ChoiceKind& kind,
                                     const std::string& now, std::string_view why_not) {
    const auto at = std::ranges::find(kind.choices, std::string_view{now}, &SettingChoice::id);
    const std::string_view shown = !why_not.empty()           ? std::string_view{"none"}
                                   : at == kind.choices.end() ? std::string_view{now}
                                                              : at->label;
    if (!ui.begin_combo(info.label, shown, tip_of(info), why_not)) return std::nullopt;
    std::optional<SettingValue> chosen;
    for (const SettingChoice& choice : kind.choices)
        if (choice.offered && ui.choice(choice.label, choice.id == now, choice.doc)) chosen = std::string{choice.id};
    ui.end_combo();
    return chosen;
}

/// The meaning of an empty text: "all" for "empty: all" in the description.
std::string_view text_hint(const SettingInfo& info) {
    constexpr std::string_view empty = "empty: ";
    const std::size_t at = info.doc.find(empty);
    if (at == std::string_view::npos) return "";
    const std::string_view rest = std::string_view{info.doc}.substr(at + empty.size());
    return rest.substr(0, rest.find_first_of(";."));
}

std::optional<SettingValue> number_slider(Widgets& ui, const SettingInfo& info, const RealKind& kind, double now,
                                          double standard) {
    const SliderSpan span = span_of(kind.slider, kind.low, kind.high);
    const SliderRange range{span.low, span.high, standard, span.format,
                            span.logarithmic ? Scale::kLogarithmic : Scale::kLinear};
    if (!ui.slider(info.label, now, range, tip_of(info))) return std::nullopt;
    return now;
}

std::optional<SettingValue> whole_slider(Widgets& ui, const SettingInfo& info, const WholeKind& kind, std::int64_t now,
                                         std::int64_t standard) {
    const SliderSpan span = span_of(kind.slider, static_cast<double>(kind.low), static_cast<double>(kind.high));
    int number = static_cast<int>(now);
    // A default of 0 that the description explains means an automatic choice.
    const std::string_view zero = standard == 0 && info.doc.find("0: ") != std::string_view::npos ? "auto" : "";
    if (!ui.whole_number(info.label, number, static_cast<int>(span.low), static_cast<int>(span.high),
                         static_cast<int>(standard), tip_of(info), zero))
        return std::nullopt;
    return std::int64_t{number};
}

}  // namespace

std::optional<SettingValue> edit_setting(Widgets& ui, const SettingInfo& info, const SettingValue& value,
                                         const SettingValue& standard, const std::vector<OfferedNumber>& offers,
                                         std::string_view why_not) {
    if (std::holds_alternative<FlagKind>(info.kind)) {
        bool on = std::get<bool>(value);
        return ui.toggle(info.label, on, tip_of(info)) ? std::optional<SettingValue>{on} : std::nullopt;
    }
    if (!offers.empty()) return size_combo(ui, info, std::get<std::int64_t>(value), offers, why_not);
    if (const auto* kind = std::get_if<SizesKind>(&info.kind))
        return size_combo(ui, info, std::get<std::int64_t>(value), kind->sizes, why_not);
    if (const auto* kind = std::get_if<WholeKind>(&info.kind))
        return whole_slider(ui, info, *kind, std::get<std::int64_t>(value), std::get<std::int64_t>(standard));
    if (const auto* kind = std::get_if<RealKind>(&info.kind))
        return number_slider(ui, info, *kind, to_number(value), to_number(standard));
    if (const auto* kind = std::get_if<ChoiceKind>(&info.kind))
        return id_combo(ui, info, *kind, std::get<std::string>(value), why_not);
    std::string text = std::get<std::string>(value);
    return ui.text(info.label, text, text_hint(info), tip_of(info)) ? std::optional<SettingValue>{text} : std::nullopt;
}

}  // namespace orrery
