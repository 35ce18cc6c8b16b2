// SPDX-License-Identifier: MIT
#pragma once
#include "core/formats/formats.hpp"

namespace orrery {

// A body per line. The first line may name the columns, in any order: m or mass, x, y, z, vx, vy, vz and, at will, name
// or id; others are ignored. Without names: seven numbers m, x, y, z, vx, vy, vz. Columns are parted by semicolons,
// commas, tabs or blanks, whichever of these, in this order, the first line holds; "quotes" keep a separator inside a
// name. A line that begins with # is a comment. One comment is understood and written,
//     # orrery: G=1 softening=0.05 dt=0.001 time=0 days_per_time=58.13
// (any of these, in any order, in the units of the columns); so is "yr/2pi" or "yr/(2pi)" as the unit of time in any
// other.

const FormatEntry& csv();

Scene read_csv(const std::filesystem::path& path);
void write_csv(const Scene& scene, const std::filesystem::path& path);

}  // namespace orrery
