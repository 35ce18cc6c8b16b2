// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace orrery {

/// The text below the options of a command, split into parts. Lines are joined, except in `verbatim` paragraphs.
struct Footer {
    struct Paragraph {
        std::string text;
        bool verbatim = false;  ///< a command to type
    };
    struct Example {
        std::string command, explanation;  ///< the explanation may be empty
    };
    std::vector<Paragraph> description;
    std::vector<Example> examples;
    std::string exit_codes;  ///< without the words "Exit codes:"
};

/// Indented lines below "Examples:" are examples; elsewhere they are verbatim paragraphs.
Footer footer_of(const CLI::App& app);

enum class HelpLength {
    kShort,  ///< the common options
    kWhole   ///< all options, with their full texts
};

/// The text of --help or --help-all, in lines of at most `columns`; longer words and examples are not broken.
std::string help_text(const CLI::App& app, std::size_t columns, HelpLength length);

}  // namespace orrery
