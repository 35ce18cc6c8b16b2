// SPDX-License-Identifier: MIT
#pragma once
#include <string>
#include <vector>

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace orrery {

// Scripts that complete a command line of `orrery`: commands, options, their words, files and folders. `root` is the
// whole command line, the app without a parent.

std::string bash_completion(const CLI::App& root);
std::string zsh_completion(const CLI::App& root);
std::string fish_completion(const CLI::App& root);

/// `root` and its commands, in the order of --help.
std::vector<const CLI::App*> apps_of(const CLI::App& root);
/// Options with a dashed name.
std::vector<const CLI::Option*> options_of(const CLI::App& app);
/// Positional arguments.
std::vector<const CLI::Option*> positionals_of(const CLI::App& app);

/// "record"; empty for `root`.
std::string command_of(const CLI::App& app);
/// A script with @commands@ replaced by these names.
std::string with_commands(std::string script, const std::string& names);
/// The purpose of an option, short enough for a menu.
std::string in_short(const CLI::Option& option);
/// 'text', quoted for a shell.
std::string quoted(const std::string& text);

}  // namespace orrery
