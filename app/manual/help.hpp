// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <string>

namespace CLI {
class App;
}

namespace orrery {

enum class HelpLength {
    kShort,  ///< the options of every day
    kWhole   ///< all options, each with its whole text
};

/// The text of --help or --help-all, in lines of at most `columns`; a word or an example that is longer keeps its line.
std::string help_text(const CLI::App& app, std::size_t columns, HelpLength length);

}  // namespace orrery
