// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <cstddef>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// What the columns of a table of bodies mean, from their titles.
namespace orrery::csv_text {

inline constexpr std::size_t kNoColumn = std::numeric_limits<std::size_t>::max();
inline constexpr std::array<std::string_view, 7> kTitles{"m", "x", "y", "z", "vx", "vy", "vz"};

/// Where in a line the quantities stand.
struct Columns {
    std::array<std::size_t, 7> quantity{0, 1, 2, 3, 4, 5, 6};  ///< in the order of kTitles
    std::size_t name = kNoColumn, id = kNoColumn, species = kNoColumn, charge = kNoColumn, time = kNoColumn, count = 7;
    std::string time_title;              ///< in lower case
    std::array<std::string, 7> units{};  ///< from brackets behind the titles; empty: none
    bool index = false;                  ///< the first column numbers the rows
};

/// The same behind one more column, which numbers the rows and has no title.
Columns behind_index(Columns columns);

/// Of titles in any order and case, with or without quotes and a unit in brackets.
struct Titles {
    Columns columns;
    std::string wrong;          ///< why they do not name the columns of bodies; empty: they do
    bool has_position = false;  ///< x, y and z are among them
};
Titles read_titles(std::span<const std::string> titles);

/// The words of a comment; a unit in brackets belongs to the word before it.
std::vector<std::string> words_of(std::string_view comment);

/// What the comments above a table of `count` columns, the last one nearest to it, say of its columns: as many words as
/// columns (or one less, if `index`: the first column then numbers the rows), x, y and z among them; or all seven
/// quantities within a longer comment. Empty: nothing.
std::optional<Titles> titles_in(std::span<const std::string> comments, std::size_t count, bool index);

}  // namespace orrery::csv_text
