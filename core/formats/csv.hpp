// SPDX-License-Identifier: MIT
#pragma once
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

Scene read_csv(const std::filesystem::path& path);
void write_csv(const Scene& scene, const std::filesystem::path& path);

}  // namespace orrery
