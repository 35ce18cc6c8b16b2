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
// whole command line, an app without a parent.

std::string bash_completion(const CLI::App& root);
std::string zsh_completion(const CLI::App& root);
std::string fish_completion(const CLI::App& root);

/// `root` and its commands, in the order of --help.
std::vector<const CLI::App*> apps_of(const CLI::App& root);
/// Those that have a name with dashes.
std::vector<const CLI::Option*> options_of(const CLI::App& app);
/// Those that stand by themselves.
std::vector<const CLI::Option*> positionals_of(const CLI::App& app);

/// "record"; of `root` empty.
std::string command_of(const CLI::App& app);
/// A script with their names in the place of @commands@.
std::string with_commands(std::string script, const std::string& names);
/// What an option does, as short as a menu needs it.
std::string in_short(const CLI::Option& option);
/// 'text', so that a shell reads the same.
std::string quoted(const std::string& text);

}  // namespace orrery
