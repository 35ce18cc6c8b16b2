// SPDX-License-Identifier: MIT
#include "app/cli/option_values.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

#include "core/base/number_text.hpp"

namespace orrery {
namespace {

/// Nothing, or what is wrong. Digits are left as the library reads them: without a plus sign and leading zeros.
template <class T>
std::string whole(std::string& text, std::string_view expected) {
    T number = 0;
    if (!read_number(text, number)) return fmt::format("expected {}, found {}", expected, text);
    text = fmt::format("{}", number);
    return {};
}

std::string real(std::string& text) {
    double number = 0;
    if (read_number(text, number) && std::isfinite(number)) return {};
    return fmt::format("expected a number, found {}", text);
}

std::string checked(std::string_view type, std::string& text) {
    if (text.empty()) return "expected a value, found an empty one";
    if (type == "UINT") return whole<std::uint64_t>(text, "a whole number of 0 or more");
    if (type == "INT") return whole<std::int64_t>(text, "a whole number");
    if (type == "FLOAT") return real(text);
    return {};
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
        const std::string type = option->get_type_name();
        const auto check = [type = type.substr(0, type.find(':'))](std::string& text) { return checked(type, text); };
        option->transform(CLI::Validator{check, ""});
    }
}

}  // namespace orrery
