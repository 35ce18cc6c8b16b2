// SPDX-License-Identifier: MIT
#include "app/cli/misspelt.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <vector>

#include "app/cli/scene_option.hpp"
#include "core/base/error.hpp"
#include "core/base/menu.hpp"

namespace orrery {
namespace {

struct Name {
    std::string id;
};

/// The command on the command line, or the program itself if there is none.
const CLI::App& named_app(const CLI::App& root) {
    const std::vector<CLI::App*> commands = root.get_subcommands();
    return commands.empty() ? root : *commands.front();
}

std::string spelling(const CLI::App& app) { return app.get_parent() ? "orrery " + app.get_name() : "orrery"; }

std::vector<Name> long_options(const CLI::App& app) {
    std::vector<Name> words;
    for (const CLI::Option* option : app.get_options())
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
