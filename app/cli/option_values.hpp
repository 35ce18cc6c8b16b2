// SPDX-License-Identifier: MIT
#pragma once
#include <string>

namespace CLI {
class App;
class Validator;
class ParseError;
}  // namespace CLI

namespace orrery {

/// Makes every option of a command reject invalid values before they are used: for numbers all but finite decimal ones
/// (whole and without a sign where the option is a count), for texts the empty one. CLI11 would accept "-1" as 2⁶⁴ − 1,
/// "010" as 8, "inf", "nan", and "" as if the option were absent. Counts may be written as "20k" and "1e5"; words of
/// menus are case-insensitive.
void check_values(CLI::App& app);

/// Accepts numbers of steps or frames, which are stored in 63 bits.
CLI::Validator countable();

/// The message for a command line that cannot be parsed. It suggests the most similar option and the command that
/// prints help.
std::string explain_parse_error(const CLI::App& root, const CLI::ParseError& error);

/// Throws Error{kUsage} if a command line without a command has a scene that resembles a command: `orrery recrod`.
void require_no_misspelt_command(const CLI::App& root);

}  // namespace orrery
