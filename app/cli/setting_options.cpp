// SPDX-License-Identifier: MIT
#include "app/cli/setting_options.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <utility>

namespace orrery {
namespace {

/// "color-by,color-mode" as "--color-by,--color-mode"; for a flag also the negated names.
std::string names_of(const std::string& flags, bool with_negation) {
    std::string names;
    for (std::size_t begin = 0; begin <= flags.size();) {
        const std::size_t end = std::min(flags.find(',', begin), flags.size());
        const std::string flag = flags.substr(begin, end - begin);
        names += fmt::format("{}--{}", names.empty() ? "" : ",", flag);
        if (with_negation) names += ",!--no-" + flag;
        begin = end + 1;
    }
    return names;
}

bool is_switch(const SettingInfo& info) {
    const auto* kind = std::get_if<FlagKind>(&info.kind);
    return kind && kind->on.empty();
}

std::string type_name(const SettingInfo& info) {
    if (std::holds_alternative<WholeKind>(info.kind) || std::holds_alternative<SizesKind>(info.kind)) return "INT";
    return std::holds_alternative<RealKind>(info.kind) ? "FLOAT" : "TEXT";
}

/// The help text and the accepted values.
std::string words_of(const SettingInfo& info) {
    if (is_switch(info)) return help_of(info);
    if (const auto* kind = std::get_if<FlagKind>(&info.kind))
        return fmt::format("{} ({}, {})", help_of(info), kind->on, kind->off);
    if (std::holds_alternative<TextKind>(info.kind)) return help_of(info);
    return fmt::format("{} ({})", help_of(info), takes_text(info));
}

}  // namespace

void SettingOptions::add(const SettingInfo& info, const std::string& standard,
                         std::function<void(const std::string&)> typed) {
    CLI::Option*& option = added_[flag_of(info)];
    if (option) {
        option->description(option->get_description() + ". " + words_of(info));
        return;
    }
    if (is_switch(info)) {
        option = app_.add_flag_function(
            names_of(flag_of(info), true),
            [typed = std::move(typed)](std::int64_t on) { typed(on > 0 ? "true" : "false"); }, words_of(info));
        return;
    }
    option = app_.add_option_function<std::string>(names_of(flag_of(info), false), std::move(typed), words_of(info));
    option->type_name(type_name(info));
    if (!standard.empty()) option->default_str(standard);
    if (info.instead_of.empty()) return;
    for (CLI::Option* other : instead_of_[info.instead_of]) option->excludes(other);
    instead_of_[info.instead_of].push_back(option);
}

}  // namespace orrery
