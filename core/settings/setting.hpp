// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace orrery {

// A setting is a member of a struct that a person can choose. It is described once, in a table beside its struct; the
// command line, scene files, the user's settings file, checkpoints, the columns of `bench`, the panels and `orrery
// list` walk the tables. setting_member.hpp binds a description to its member.

/// The value of any setting; monostate: of an optional member that holds none. An enumerator goes by its id.
using SettingValue = std::variant<std::monostate, bool, std::int64_t, float, double, std::string>;

/// One value of a setting that has a menu.
struct SettingChoice {
    std::string_view id, label = {}, doc = {};
    bool offered = true;  ///< by panels
};

/// A whole number that a panel offers. Without a name it is shown as the number, and 0 as "auto".
struct OfferedNumber {
    std::int64_t value;
    std::string_view name = {};
};

inline constexpr double kUnlimited = std::numeric_limits<double>::infinity();

/// What a slider spans where all that is accepted would be no use to a hand, and how it writes the number (printf).
/// `low` = `high`: all that is accepted.
struct SliderSpan {
    double low = 0, high = 0;
    const char* format = "%.2f";
    bool logarithmic = false;
};

struct FlagKind {
    std::string_view off = {}, on = {};  ///< on the command line an option that takes one of these words
};
struct WholeKind {
    std::int64_t low, high;  ///< both accepted; INT64_MAX: no limit
    std::int64_t step = 1;   ///< only multiples of it
    SliderSpan slider = {};
};
/// Whole numbers of which only these are accepted, and offered.
struct SizesKind {
    std::vector<OfferedNumber> sizes;
};
struct RealKind {
    double low, high;  ///< accepted; kUnlimited: no limit
    SliderSpan slider = {};
    bool above_low = false;  ///< `low` itself is not accepted
};
struct ChoiceKind {
    std::vector<SettingChoice> choices;
};
struct TextKind {};
using SettingKind = std::variant<FlagKind, WholeKind, SizesKind, RealKind, ChoiceKind, TextKind>;

/// Settings that belong together.
struct SettingGroup {
    std::string_view label = {};  ///< heading in a panel
    std::string_view of = {};     ///< what has them, before the text for people: "tree engines"
    bool replaced_whole = false;  ///< one of them on the command line, and those of the scene file count no more
};

/// Where a setting is offered. Checkpoints keep all settings of an engine.
namespace place {
inline constexpr unsigned kCommandLine = 1, kSceneFile = 2, kColumn = 4, kPanel = 8;
inline constexpr unsigned kUserFile = 16;  ///< what a window remembers; not unless asked for
inline constexpr unsigned kUsual = kCommandLine | kSceneFile | kColumn | kPanel;
}  // namespace place

struct SettingInfo {
    std::string_view id;     ///< in files and JSON; unique in its table
    std::string_view label;  ///< in panels
    std::string_view doc;    ///< one line, from a small letter on: --help, tooltip, `orrery list`, the guide
    SettingKind kind;
    std::string_view flag =
        {};  ///< command line: "leaf" for --leaf, "a,b" for two spellings; empty: the id, with - for _
    std::string_view column = {};  ///< of `bench`; empty: the id
    std::string_view unit = {};
    std::string_view key = {};        ///< of the window, that changes it too
    std::string_view otherwise = {};  ///< why a panel greys it where it does not apply; empty: it is not shown
    const SettingGroup* group = nullptr;
    std::string_view instead_of = {};  ///< of the settings with the same word here the command line takes one
    /// Throws Error{kUsage} where there is more to say of a value that is refused than what was expected.
    void (*explain)(std::string_view found) = nullptr;
    unsigned places = place::kUsual;

    bool in(unsigned where) const { return (places & where) != 0; }
};

/// "leaf", "tile-p": without the dashes.
std::string flag_of(const SettingInfo& info);
/// The first of its spellings.
std::string first_flag_of(const SettingInfo& info);
/// "Tree engines: most bodies of a leaf; 0: the engine chooses", with its group and its unit, as a sentence for --help.
std::string help_of(const SettingInfo& info);
/// The same from a small letter on, for tables.
std::string doc_of(const SettingInfo& info);
/// The bare `doc` as a sentence: for a tooltip under the heading of its group.
std::string tip_of(const SettingInfo& info);

/// "0 to 64", "true or false", "a, b, c".
std::string takes_text(const SettingInfo& info);
/// "-20 to 20", "0 or more"
std::string range_text(double low, double high);
/// "a whole number from 0 to 64", "one of a, b, c"
std::string expected_text(const SettingInfo& info);
/// The shortest text that reads back as the same value; texts as they are, monostate as nothing.
std::string text_of(const SettingValue& value);

bool accepts(const SettingInfo& info, const SettingValue& value);
/// Throws Error{kUsage}: name, what was expected, what was found.
void require_accepted(const SettingInfo& info, const SettingValue& value);
/// The value that is written so on a command line. Throws Error{kUsage} as require_accepted(), naming the option.
SettingValue parse_setting(const SettingInfo& info, const std::string& text);
/// A number of a file that knows only doubles, or a flag out of such a one, as this setting has it.
SettingValue from_number(const SettingInfo& info, double number);
/// What from_number() takes; only of flags and numbers.
double to_number(const SettingValue& value);

/// The number as a panel shows it.
std::string offered_text(const OfferedNumber& offered);

}  // namespace orrery
