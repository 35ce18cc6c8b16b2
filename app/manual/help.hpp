// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <string>

namespace CLI {
class App;
}

namespace orrery {

enum class HelpLength {
    kShort,  ///< the common options
    kWhole   ///< all options, with their full texts
};

/// The text of --help or --help-all, in lines of at most `columns`; longer words and examples are not broken.
std::string help_text(const CLI::App& app, std::size_t columns, HelpLength length);

}  // namespace orrery
