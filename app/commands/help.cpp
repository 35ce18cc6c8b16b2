// SPDX-License-Identifier: MIT
#include <CLI/CLI.hpp>
#include <memory>
#include <string>
#include <vector>

#include "app/cli/terminal.hpp"
#include "app/commands/commands.hpp"
#include "app/manual/help.hpp"
#include "core/base/standard_streams.hpp"

namespace orrery {

Work declare_help(CLI::App& app) {
    const auto command = std::make_shared<std::string>();
    const auto all = std::make_shared<bool>(false);
    std::vector<std::string> names;
    for (const CommandEntry& entry : commands()) names.emplace_back(entry.id);
    app.add_option("COMMAND", *command, "The command to explain (default: the program itself)")
        ->check(CLI::IsMember{names});
    app.add_flag("--all", *all, "All options, as orrery COMMAND --help-all shows them");
    return [command, all, &app] {
        const CLI::App& root = *app.get_parent();
        const CLI::App& explained = command->empty() ? root : *root.get_subcommand(*command);
        to_stdout("{}", help_text(explained, terminal_columns(), *all ? HelpLength::kWhole : HelpLength::kShort));
        return 0;
    };
}

}  // namespace orrery
