// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/physics/pair_law.hpp"

/// Splitting, quotes and numbers of separated text, independent of files, and the head of a table of bodies: the
/// meaning of its columns, from their titles, and the values in its comments.
namespace orrery::csv_text {

using Fields = std::vector<std::string_view>;

std::string_view trimmed(std::string_view text);
std::string without_blanks(std::string_view text);
/// For error messages: at most 40 characters, unprintable ones as '?'.
std::string shown(std::string_view text);

/// Chooses the separator of a line from the text outside quotes: ";" first, then a tab if it gives at least 7
/// fields, then ",", otherwise a blank.
char separator_of(std::string_view line);
/// Splits into trimmed fields, quotes left on. A blank as separator stands for any run of blanks and tabs.
void split(std::string_view line, char separator, Fields& fields);

/// Removes the quotes around a field; "" inside them is one quote.
std::string unquoted(std::string_view field);
/// Adds quotes where a reader would otherwise split, trim or drop characters.
std::string quoted(std::string_view name);

/// Removes a unit in brackets, as in "x [AU]" or "m(kg)", from a title, and returns it without brackets; empty if there
/// is none.
std::string unit_behind(std::string& title);

/// Parses the whole text as an integer.
std::optional<std::uint64_t> whole(std::string_view text);

/// Parses the whole text as a number, independent of the locale; empty if it is not a number or outside the range of
/// double. It may be quoted, and its exponent may be that of Fortran, "1.5D+03", "1.5Q3" or "1.5-103", or of
/// Mathematica, "1.5*^3".
std::optional<double> number(std::string_view text);
/// Parses a number with a decimal comma; empty if the text has another comma or a point.
std::optional<double> number_with_comma(std::string_view text);

inline constexpr std::size_t kNoColumn = std::numeric_limits<std::size_t>::max();
inline constexpr std::array<std::string_view, 7> kTitles{"m", "x", "y", "z", "vx", "vy", "vz"};

/// A column that is none of a body's quantities: a field.
struct OtherColumn {
    std::size_t column = kNoColumn;
    std::string name, unit;  ///< as in the file; the unit without its brackets
};

/// The position of each quantity in a line.
struct Columns {
    std::array<std::size_t, 7> quantity{0, 1, 2, 3, 4, 5, 6};  ///< in the order of kTitles
    std::size_t name = kNoColumn, id = kNoColumn, species = kNoColumn, charge = kNoColumn, time = kNoColumn, count = 7;
    std::string time_title;              ///< in lower case
    std::array<std::string, 7> units{};  ///< from brackets after the titles; empty: none
    bool index = false;                  ///< the first column numbers the rows
    std::vector<OtherColumn> others;     ///< in the order of the file, each name once
};

/// Returns the columns shifted by one, for tables whose first column is untitled and numbers the rows.
Columns behind_index(Columns columns);

/// Titles in any order and case, with or without quotes and a unit in brackets.
struct Titles {
    Columns columns;
    std::string wrong;          ///< why they do not name the columns of bodies; empty if they do
    bool has_position = false;  ///< x, y and z are among them
};
Titles read_titles(std::span<const std::string> titles);

/// Splits a comment into words; a unit in brackets belongs to the word before it.
std::vector<std::string> words_of(std::string_view comment);

/// Finds column titles in the comments above a table of `count` columns (the last comment is nearest to it): a comment
/// with one word per column (or one less if `index`: the first column then numbers the rows) that include x, y and z,
/// or all seven quantities within a longer comment. Empty if there are none.
std::optional<Titles> titles_in(std::span<const std::string> comments, std::size_t count, bool index);

/// Values stated in the comments.
struct Said {
    std::optional<double> constant, softening, sigma, cut_off, dt, time, scale_factor, box, days_per_time;
    PairLaw law = PairLaw::kGravity;
    std::optional<std::size_t> bodies, steps_per_frame;
    std::string length_unit, mass_unit;
};

/// Parses a comment without its mark: "orrery: G=1 …", or the unit of time "yr/2pi". Returns the error in one line,
/// or an empty text; comments without settings are valid.
std::string take_comment(std::string_view comment, Said& said);

}  // namespace orrery::csv_text
