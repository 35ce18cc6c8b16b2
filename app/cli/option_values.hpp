// SPDX-License-Identifier: MIT
#pragma once

namespace CLI {
class App;
class Validator;
}  // namespace CLI

namespace orrery {

/// Makes every option of a command refuse what is none of its values, before anything else looks at it: of numbers all
/// but finite decimal ones, whole and without a sign where the option counts; of texts the empty one. The library that
/// parses the command line would take "-1" for 2⁶⁴ − 1, "010" for 8, "inf", "nan", and "" for an option that is absent.
/// Counts may be written as "20k" and "1e5", and words of menus in large and small letters.
void check_values(CLI::App& app);

/// A number of steps or frames: those are counted in 63 bits.
CLI::Validator countable();

}  // namespace orrery
