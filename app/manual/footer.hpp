// SPDX-License-Identifier: MIT
#pragma once
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace orrery {

/// The text below the options of a command, in its parts. Lines are joined; only `verbatim` keeps its own.
struct Footer {
    struct Paragraph {
        std::string text;
        bool verbatim = false;  ///< a command to type
    };
    struct Example {
        std::string command, says;  ///< says: may be empty
    };
    std::vector<Paragraph> description;
    std::vector<Example> examples;
    std::string exit_codes;  ///< without the words "Exit codes:"
};

/// Indented lines below "Examples:" are examples; elsewhere they are verbatim paragraphs.
Footer footer_of(const CLI::App& app);

}  // namespace orrery
