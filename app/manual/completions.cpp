// SPDX-License-Identifier: MIT
#include "app/manual/completions.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>

#include "app/manual/option_arguments.hpp"

namespace orrery {

std::vector<const CLI::App*> apps_of(const CLI::App& root) {
    std::vector<const CLI::App*> all{&root};
    for (const CLI::App* command : root.get_subcommands({})) all.push_back(command);
    return all;
}

std::vector<const CLI::Option*> options_of(const CLI::App& app) {
    return app.get_options([](const CLI::Option* option) { return option->nonpositional(); });
}

std::vector<const CLI::Option*> positionals_of(const CLI::App& app) {
    return app.get_options([](const CLI::Option* option) { return option->get_positional(); });
}

std::string command_of(const CLI::App& app) { return app.get_parent() ? app.get_name() : ""; }

std::string with_commands(std::string script, const std::string& names) {
    static constexpr std::string_view kPlace = "@commands@";
    return script.replace(script.find(kPlace), kPlace.size(), names);
}

std::string in_short(const CLI::Option& option) {
    const std::string text = plain_description(option);
    std::size_t end = text.size();
    for (const char* cut : {"; ", ". ", " (", ": "}) end = std::min(end, text.find(cut));
    return text.substr(0, end);
}

std::string quoted(const std::string& text) {
    std::string out = "'";
    for (const char c : text) out += c == '\'' ? "'\\''" : std::string(1, c);
    return out + "'";
}

}  // namespace orrery
