// SPDX-License-Identifier: MIT
#pragma once
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace orrery {

/// The layout of a text table with a column of time.
struct CsvTimes {
    std::string above;         ///< lines above the first row
    std::size_t lines = 0;     ///< their number
    std::size_t column = 0;    ///< of the time, counted from 0
    std::string title;         ///< of that column
    bool states_time = false;  ///< its numbers are times in the units of the table, and not of an almanac
    char separator = ',';
};

/// Empty for a table without such a column, and for one whose rows belong together: where they are counted by a comment
/// or an index. Throws Error as read_csv() does for what is wrong up to the first row.
std::optional<CsvTimes> times_in_csv(const std::filesystem::path& path);

/// Writes one table for each time, under the same name, in subfolders of `folder`. Returns these
/// tables in the order of time; none where there are fewer than two times, or more than 100000. Times that are no
/// numbers, as dates, follow their alphabetical order and are numbered from 0.
std::vector<std::filesystem::path> split_csv(const std::filesystem::path& path, const std::filesystem::path& folder);

}  // namespace orrery
