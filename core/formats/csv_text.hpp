// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// Lines of separated text, without files: splitting, quotes and numbers.
namespace orrery::csv_text {

using Fields = std::vector<std::string_view>;

std::string_view trimmed(std::string_view text);
std::string without_blanks(std::string_view text);
/// For error messages: at most 40 characters, unprintable ones as '?'.
std::string shown(std::string_view text);

/// The first of these that stands outside quotes in the line: ; a tab, if that gives 7 fields or more, and ,; otherwise
/// a blank.
char separator_of(std::string_view line);
/// Trimmed views of the fields, quotes left on. A blank as separator stands for any run of blanks and tabs.
void split(std::string_view line, char separator, Fields& fields);

/// Removes the quotes around a field; "" inside them is one quote.
std::string unquoted(std::string_view field);
/// Adds quotes where a reader would otherwise split, trim or drop something.
std::string quoted(std::string_view name);

/// Takes a unit in brackets, as of "x [AU]" or "m(kg)", from a title, and returns it without brackets; empty: there is
/// none.
std::string unit_behind(std::string& title);

/// The whole text as one integer.
std::optional<std::uint64_t> whole(std::string_view text);

/// The whole text as one number, independent of the locale; empty if it is not a number or outside the range of double.
/// It may stand in quotes, and its exponent may be that of Fortran, "1.5D+03", "1.5Q3" or "1.5-103", or of Mathematica,
/// "1.5*^3".
std::optional<double> number(std::string_view text);
/// A number with a decimal comma, where no other comma stands in the text and no point.
std::optional<double> number_with_comma(std::string_view text);

}  // namespace orrery::csv_text
