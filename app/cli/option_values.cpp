// SPDX-License-Identifier: MIT
#include "app/cli/option_values.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "app/manual/option_arguments.hpp"
#include "core/base/menu.hpp"
#include "core/base/text.hpp"

namespace orrery {
namespace {

/// Normalises a whole number; returns an error text, or nothing. CLI11 then parses digits without a plus sign and
/// leading zeros. On its own it would read only the first digits of counts such as "20k" and "1e5".
template <class T>
std::string whole(std::string& text, std::string_view expected) {
    T number = 0;
    if (read_number(text, number))
        text = fmt::format("{}", number);
    else if (const auto count = parse_count(text))
        text = fmt::format("{}", *count);
    else
        return fmt::format("expected {}, found {}", expected, text);
    return {};
}

std::string real(std::string& text) {
    double number = 0;
    if (read_number(text, number) && std::isfinite(number)) return {};
    return fmt::format("expected a number, found {}", text);
}

struct Word {
    std::string id;
};

/// Replaces a menu word typed in another case by the menu's spelling. An existing file takes precedence over a scene of
/// the same name.
std::string word(const OptionArgument& argument, bool only_these, std::string& text) {
    if (argument.words.empty() || std::ranges::find(argument.words, text) != argument.words.end()) return {};
    if (argument.kind == OptionArgument::Kind::kFile && std::filesystem::exists(text)) return {};
    for (const std::string& each : argument.words)
        if (lower_case(each) == lower_case(text)) {
            text = each;
            return {};
        }
    if (!only_these) return {};  // the command that reads it reports the error
    std::vector<Word> words;
    for (const std::string& each : argument.words) words.push_back({each});
    return fmt::format("expected one of {}, found {}{}", fmt::join(argument.words, ", "), text,
                       did_you_mean(words, text));
}

std::string checked(const CLI::Option& option, std::string& text) {
    if (text.empty()) return "expected a value, found an empty one";
    const std::string type = option.get_type_name(), basic = type.substr(0, type.find(':'));
    if (basic == "UINT") return whole<std::uint64_t>(text, "a whole number of 0 or more");
    if (basic == "INT") return whole<std::int64_t>(text, "a whole number");
    if (basic == "FLOAT") return real(text);
    return word(argument_of(option), type.ends_with('}') && type.find(" OR ") == std::string::npos, text);
}

}  // namespace

CLI::Validator countable() {
    const auto wrong = [](const std::string& text) {
        std::uint64_t number = 0;
        constexpr std::uint64_t kMost = std::numeric_limits<std::int64_t>::max();
        if (read_number(text, number) && number <= kMost) return std::string{};
        return fmt::format("expected at most {}, found {}", kMost, text);
    };
    return CLI::Validator{wrong, ""};
}

void check_values(CLI::App& app) {
    for (CLI::Option* option : app.get_options()) {
        if (option->get_items_expected_max() == 0) continue;  // a flag
        const auto check = [option](std::string& text) { return checked(*option, text); };
        option->transform(CLI::Validator{check, ""});
    }
}

}  // namespace orrery
