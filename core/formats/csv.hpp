// SPDX-License-Identifier: MIT
#pragma once
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "core/formats/formats.hpp"

namespace orrery {

// One body per line. The first line may name the columns, in any order: m or mass, x, y, z, vx, vy, vz and, optionally,
// name, id, species or charge; others are ignored. Without names: seven numbers m, x, y, z, vx, vy, vz. Columns are
// separated by semicolons, commas, tabs or any run of blanks, as determined from the first line; "quotes" protect a
// separator inside a name. A line that begins with # is a comment. One comment is interpreted and written,
//     # orrery: bodies=2 G=1 softening=0.05 dt=0.001 time=0 days_per_time=58.13 steps_per_frame=1
// (any of these, and law=, sigma= and cut_off=, in any order, in the units of the columns). "yr/2pi" or "yr/(2pi)" in
// another comment selects the unit of time for AU, solar masses and G = 1.

const FormatEntry& csv();

/// The layout of a text table with a column of time.
struct CsvTimes {
    std::string above;         ///< lines above the first row
    std::size_t lines = 0;     ///< their number
    std::size_t column = 0;    ///< of the time, counted from 0
    std::string title;         ///< of that column
    bool states_time = false;  ///< its numbers are times in the units of the table, and not of an almanac
    char separator = ',';
};

/// Empty for a table without such a column, and for one whose rows belong together because a comment or an index counts
/// them. Throws Error as the reader does, for errors up to the first row.
std::optional<CsvTimes> times_in_csv(const std::filesystem::path& path);

/// Writes one table for each time, under the same name, in subfolders of `folder`. Returns these tables in order of
/// time; none if there are fewer than two times, or more than 100000. Times that are not numbers, such as dates, are
/// sorted alphabetically and numbered from 0.
std::vector<std::filesystem::path> split_csv(const std::filesystem::path& path, const std::filesystem::path& folder);

}  // namespace orrery
