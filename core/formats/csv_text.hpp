// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// Splitting, quotes and numbers of separated text, independent of files.
namespace orrery::csv_text {

using Fields = std::vector<std::string_view>;

std::string_view trimmed(std::string_view text);
std::string without_blanks(std::string_view text);
/// For error messages: at most 40 characters, unprintable ones as '?'.
std::string shown(std::string_view text);

/// Chooses the separator of a line from what stands outside quotes: ";" first, then a tab if it gives at least 7
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

}  // namespace orrery::csv_text
