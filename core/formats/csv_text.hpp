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
std::string lower(std::string_view text);
std::string without_blanks(std::string_view text);
/// For error messages: at most 40 characters, what cannot be printed as '?'.
std::string shown(std::string_view text);

/// The first of ; and , that stands in the line outside quotes; a tab when that makes 7 fields or more; else a blank.
char separator_of(std::string_view line);
/// Trimmed views of the fields, quotes left on. A blank as separator stands for any run of blanks and tabs.
void split(std::string_view line, char separator, Fields& fields);

/// Takes off the quotes around a field; "" inside them is one quote.
std::string unquoted(std::string_view field);
/// Puts them on where a reader would otherwise part, trim or drop something.
std::string quoted(std::string_view name);

/// Takes a unit in brackets, as of "x [AU]" or "m(kg)", off a title, and gives it without them; empty: there is none.
std::string unit_behind(std::string& title);

/// All of the text as one whole number.
std::optional<std::uint64_t> whole(std::string_view text);

/// All of the text as one number, without regard to the locale; nothing when it is none or outside the range of double.
std::optional<double> number(std::string_view text);

}  // namespace orrery::csv_text
