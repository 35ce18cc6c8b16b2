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

#include "app/cli/options.hpp"
#include "app/manual/option_arguments.hpp"
#include "core/base/error.hpp"
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

struct Name {
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
    std::vector<Name> words;
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

/// The command on the command line, or the program itself if there is none.
const CLI::App& named_app(const CLI::App& root) {
    const std::vector<CLI::App*> commands = root.get_subcommands();
    return commands.empty() ? root : *commands.front();
}

std::string spelling(const CLI::App& app) { return app.get_parent() ? "orrery " + app.get_name() : "orrery"; }

std::vector<Name> long_options(const CLI::App& app) {
    std::vector<Name> words;
    for (const CLI::Option* option : options_of(app))
        for (const std::string& name : option->get_lnames()) words.push_back({"--" + name});
    return words;
}

/// A hint naming the commands that have this option; empty if none has it.
std::string commands_with(const CLI::App& root, const std::string& option) {
    std::vector<std::string> names;
    for (const CLI::App* command : root.get_subcommands({}))
        if (command->get_option_no_throw(option)) names.push_back(command->get_name());
    return names.empty() ? std::string{} : fmt::format(" (it is an option of {})", fmt::join(names, ", "));
}

std::string unknown_option(const CLI::App& root, const CLI::App& app, const std::string& typed) {
    const std::string option = typed.substr(0, typed.find('='));
    std::string hint = commands_with(root, option);
    if (hint.empty() && option.starts_with("--")) hint = did_you_mean(long_options(app), option);
    return fmt::format("{} has no option {}{}; `{} --help-all` shows all", spelling(app), option, hint, spelling(app));
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

std::string explain_parse_error(const CLI::App& root, const CLI::ParseError& error) {
    const CLI::App& app = named_app(root);
    const std::vector<std::string> left = app.remaining();  // in the order in which they were typed
    const auto option = std::ranges::find_if(left, [](const std::string& text) { return text.starts_with("-"); });
    if (option != left.end()) return unknown_option(root, app, *option);
    if (!left.empty())
        return fmt::format("{}: unexpected argument{} {}; see `{} --help`", spelling(app), left.size() == 1 ? "" : "s",
                           fmt::join(left, " "), spelling(app));
    return fmt::format("{}; see `{} --help`", error.what(), spelling(app));
}

void require_no_misspelt_command(const CLI::App& root) {
    const CLI::Option* scene = root.get_option_no_throw("--scene");
    if (!scene || scene->count() == 0) return;
    const auto typed = scene->as<std::string>();
    if (is_known_scene(typed) || typed.find_first_of("./") != std::string::npos) return;
    std::vector<Name> commands;
    for (const CLI::App* command : root.get_subcommands({})) commands.push_back({command->get_name()});
    const auto meant = nearest_id(commands, typed);
    const auto preset = nearest_scene(typed);
    if (!meant || (preset && edit_distance(*preset, typed) < edit_distance(*meant, typed))) return;
    usage_error(
        fmt::format("no command, preset or file \"{}\" (did you mean \"{}\"?); see `orrery --help`", typed, *meant));
}

}  // namespace orrery
