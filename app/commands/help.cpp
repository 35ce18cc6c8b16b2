// SPDX-License-Identifier: MIT
#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "app/cli/terminal.hpp"
#include "app/commands/commands.hpp"
#include "app/manual/help.hpp"
#include "core/base/standard_streams.hpp"
#include "core/base/version.hpp"

namespace orrery {
namespace {

using Json = nlohmann::ordered_json;

std::set<std::string> first_names(const std::set<CLI::Option*>& options) {
    std::set<std::string> names;
    for (const CLI::Option* option : options) names.insert(first_name(*option));
    return names;
}

Json to_json(const CLI::Option& option) {
    const OptionArgument argument = argument_of(option);
    return {{"names", spellings(option)},
            {"positional", option.get_name(true)},
            {"description", plain_description(option)},
            {"short", short_description(option)},
            {"of", group_of(option)},
            {"value", placeholder(argument)},
            {"words", argument.words},
            {"several", argument.several},
            {"range", range_of(option)},
            {"required", option.get_required()},
            {"default", option.get_default_str()},
            {"excludes", first_names(option.get_excludes())},
            {"needs", first_names(option.get_needs())}};
}

/// A command, or the program itself, whose name is empty.
Json to_json(const CLI::App& app) {
    const Footer footer = footer_of(app);
    Json json{{"name", app.get_parent() ? app.get_name() : ""},
              {"description", app.get_description()},
              {"paragraphs", Json::array()},
              {"examples", Json::array()},
              {"exit_codes", footer.exit_codes},
              {"arguments", Json::array()},
              {"options", Json::array()}};
    for (const auto& [text, verbatim] : footer.description)
        json["paragraphs"].push_back({{"text", text}, {"verbatim", verbatim}});
    for (const auto& [command, explanation] : footer.examples)
        json["examples"].push_back({{"command", command}, {"explanation", explanation}});
    for (const CLI::Option* option : positionals_of(app)) json["arguments"].push_back(to_json(*option));
    for (const CLI::Option* option : options_of(app)) json["options"].push_back(to_json(*option));
    return json;
}

/// Returns the program and its commands as JSON, from which app/manual/manual.py makes manual pages and completions.
std::string all_options(const CLI::App& root) {
    Json apps{to_json(root)};
    for (const CLI::App* command : root.get_subcommands({})) apps.push_back(to_json(*command));
    return Json{{"version", version()}, {"apps", apps}}.dump(2);
}

}  // namespace

Work declare_help(CLI::App& app) {
    struct HelpOptions {
        std::string command;
        bool all = false, json = false;
    };
    const auto options = std::make_shared<HelpOptions>();
    std::vector<std::string> names;
    for (const CommandEntry& entry : commands()) names.emplace_back(entry.id);
    app.add_option("COMMAND", options->command, "The command to explain (default: the program itself)")
        ->check(CLI::IsMember{names});
    app.add_flag("--all", options->all, "All options, as orrery COMMAND --help-all shows them");
    app.add_flag("--json", options->json)->group("");  // hidden: for the build
    return [options, &app] {
        const CLI::App& root = *app.get_parent();
        const CLI::App& explained = options->command.empty() ? root : *root.get_subcommand(options->command);
        const HelpLength length = options->all ? HelpLength::kWhole : HelpLength::kShort;
        to_stdout("{}", options->json ? all_options(root) + '\n' : help_text(explained, terminal_columns(), length));
        return 0;
    };
}

}  // namespace orrery
