// SPDX-License-Identifier: MIT
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace CLI {
class Option;
}

namespace orrery {

/// What an option or a positional takes, for who writes a manual or completes a command line.
struct Taken {
    enum class Kind { kNothing, kWhole, kReal, kText, kWord, kFile, kFolder };
    Kind kind = Kind::kNothing;
    std::vector<std::string> words = {};  ///< all that it takes, or of a file or a number what else or usually
    bool several = false;                 ///< separated by commas
};

/// Its words come from the menus that the program itself reads. Throws std::logic_error naming an option of the command
/// line that is described nowhere.
Taken taken_by(const CLI::Option& option);

/// "N", "X", "FILE": what stands in the place of a value.
std::string_view placeholder(const Taken& taken);

/// The bounds of a number that are part of its type: "1 to 64"; empty: none are.
std::string range_of(const CLI::Option& option);

/// "--engine"; of what has none, its first short name: "-o"; of a positional: "IN".
std::string first_name(const CLI::Option& option);
/// All that may be typed for it, with what turns a flag off: "-o", "--output".
std::vector<std::string> spellings(const CLI::Option& option);

/// Whether it stands for a setting of the tables, of which there are many.
bool is_setting(const CLI::Option& option);

/// What the option says of itself, without the heading under which it stands (see group_of()), as a sentence without
/// its full stop.
std::string says(const CLI::Option& option);
/// "Tree engines": what has it, where that is not everything; empty otherwise.
std::string group_of(const CLI::Option& option);

}  // namespace orrery
