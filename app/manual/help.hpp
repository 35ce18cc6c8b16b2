// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace orrery {

/// The arguments of an option or positional, for manuals and completions.
struct OptionArgument {
    enum class Kind { kNothing, kWhole, kReal, kText, kWord, kFile, kFolder };
    Kind kind = Kind::kNothing;
    std::vector<std::string> words = {};  ///< all accepted words; for a file or number, alternatives or common values
    bool several = false;                 ///< separated by commas
};

/// Options with a dashed name, in the order of their declaration; without hidden ones, which have no group.
std::vector<const CLI::Option*> options_of(const CLI::App& app);
/// Positional arguments.
std::vector<const CLI::Option*> positionals_of(const CLI::App& app);

/// The words come from the menus that the program itself reads. Throws std::logic_error for an option that is not
/// described.
OptionArgument argument_of(const CLI::Option& option);

/// "N", "X", "FILE": the name of a value.
std::string_view placeholder(const OptionArgument& argument);

/// The bounds of a number in its type: "1 to 64"; empty if there are none.
std::string range_of(const CLI::Option& option);

/// "--engine"; without a long name, the first short one: "-o"; for a positional: "IN".
std::string first_name(const CLI::Option& option);
/// All accepted spellings, including the negation of a flag: "-o", "--output".
std::vector<std::string> spellings(const CLI::Option& option);

/// True if the option sets a setting of the tables.
bool is_setting(const CLI::Option& option);

/// The option's description without the heading of its group (see group_of()), as a sentence without its full stop.
std::string plain_description(const CLI::Option& option);
/// The purpose of an option, short enough for a menu.
std::string short_description(const CLI::Option& option);
/// "Tree engines": what the option applies to, if not to everything; otherwise empty.
std::string group_of(const CLI::Option& option);

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
