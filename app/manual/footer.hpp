// SPDX-License-Identifier: MIT
#pragma once
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

}  // namespace orrery
