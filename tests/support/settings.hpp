// SPDX-License-Identifier: MIT
#pragma once
#include <gtest/gtest.h>

#include <cmath>
#include <set>
#include <string>
#include <vector>

#include "core/settings/setting.hpp"

namespace orrery::test {

/// Values that a setting accepts: the ends of its range and one between, each size, each choice.
inline std::vector<SettingValue> accepted_values(const SettingInfo& info) {
    std::vector<SettingValue> values;
    if (std::holds_alternative<FlagKind>(info.kind)) values = {true, false};
    if (const auto* kind = std::get_if<TextKind>(&info.kind))
        values = {std::string{kind->accepts ? kind->example : "a \"text\", π"}};
    if (const auto* kind = std::get_if<WholeKind>(&info.kind)) {
        const std::int64_t high = std::min<std::int64_t>(kind->high, 1'000'000'000);
        values = {kind->low, high, (kind->low + high) / 2 / kind->step * kind->step};
    }
    if (const auto* kind = std::get_if<SizesKind>(&info.kind))
        for (const OfferedNumber& size : kind->sizes) values.emplace_back(size.value);
    if (const auto* kind = std::get_if<RealKind>(&info.kind)) {
        const double low = std::max(kind->low, -1e30), high = std::min(kind->high, 1e30);
        values = {high, low + (std::min(high, low + 1) - low) / 8};
        if (!kind->above_low) values.emplace_back(low);
    }
    if (const auto* kind = std::get_if<ChoiceKind>(&info.kind))
        for (const SettingChoice& choice : kind->choices) values.emplace_back(std::string{choice.id});
    return values;
}

/// The accepted values that change a `Config`.
template <class Config>
std::vector<SettingValue> unusual_values(const Setting<Config>& setting) {
    std::vector<SettingValue> values;
    for (const SettingValue& value : accepted_values(setting.info)) {
        Config config;
        setting.member.set(config, value);
        if (!(config == Config{})) values.push_back(value);
    }
    return values;
}

/// Checks that hold for every table of settings.
template <class Config>
void expect_sound(std::span<const Setting<Config>> table) {
    std::set<std::string_view> ids;
    for (const Setting<Config>& each : table) {
        const SettingInfo& info = each.info;
        SCOPED_TRACE(info.id);
        EXPECT_TRUE(ids.insert(info.id).second) << "twice";
        EXPECT_FALSE(info.label.empty());
        EXPECT_FALSE(info.doc.empty());
        EXPECT_EQ(info.doc.find('\n'), std::string_view::npos);
        EXPECT_FALSE(takes_text(info).empty());
        EXPECT_TRUE(accepts(info, each.member.get(Config{}))) << "its own default: " << text_of(each.member.get({}));
        EXPECT_FALSE(unusual_values(each).empty()) << "it changes nothing";
        for (const SettingValue& value : accepted_values(info)) {
            EXPECT_TRUE(accepts(info, value)) << text_of(value);
            Config config;
            each.member.set(config, value);
            const SettingValue got = each.member.get(config);
            EXPECT_TRUE(accepts(info, got)) << text_of(got);
            Config again;
            each.member.set(again, got);
            EXPECT_TRUE(config == again) << text_of(value);
        }
        for (const OfferedNumber& offered : each.offers ? each.offers(Config{}) : std::vector<OfferedNumber>{})
            EXPECT_TRUE(accepts(info, SettingValue{offered.value})) << offered.value;
    }
}

}  // namespace orrery::test
