// SPDX-License-Identifier: MIT
#pragma once
#include <string>

namespace CLI {
class App;
class ParseError;
}  // namespace CLI

namespace orrery {

/// The message for a command line that could not be parsed, with the option that may have been meant and the command
/// that explains the options.
std::string explain_parse_error(const CLI::App& root, const CLI::ParseError& error);

/// Throws Error{kUsage} when the scene of a command line without a command resembles a command: `orrery recrod`.
void require_no_misspelt_command(const CLI::App& root);

}  // namespace orrery
