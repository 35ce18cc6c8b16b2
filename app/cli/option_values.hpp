// SPDX-License-Identifier: MIT
#pragma once

namespace CLI {
class App;
class Validator;
}  // namespace CLI

namespace orrery {

/// Makes every option of a command reject invalid values before they are used: for numbers all but finite decimal ones
/// (whole and without a sign where the option is a count), for texts the empty one. CLI11 would accept "-1" as 2⁶⁴ − 1,
/// "010" as 8, "inf", "nan", and "" as if the option were absent. Counts may be written as "20k" and "1e5"; words of
/// menus are case-insensitive.
void check_values(CLI::App& app);

/// Accepts numbers of steps or frames, which are stored in 63 bits.
CLI::Validator countable();

}  // namespace orrery
