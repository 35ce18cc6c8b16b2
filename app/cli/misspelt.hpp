// SPDX-License-Identifier: MIT
#pragma once
#include <string>

namespace CLI {
class App;
class ParseError;
}  // namespace CLI

namespace orrery {

/// The message for a command line that cannot be parsed. It suggests the most similar option and the command that
/// prints help.
std::string explain_parse_error(const CLI::App& root, const CLI::ParseError& error);

/// Throws Error{kUsage} if a command line without a command has a scene that resembles a command: `orrery recrod`.
void require_no_misspelt_command(const CLI::App& root);

}  // namespace orrery
