// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <span>

#include "core/formats/formats.hpp"

namespace orrery {

// Snapshots of NEMO and ZENO, in their binary structured files (Barnes & Hut 1986; Teuben 1995, ASPC 77, 398; manual
// pages filestruct(5NEMO), snapshot(5NEMO)). A file is a sequence of items, each
//
//   magic   2 bytes, 0x0992, or 0x0B92 if dimensions follow; their byte order is that of the item
//   type    a letter and 0: a, b, c 1 byte; s, h 2; i, f 4; l, d 8; "(" begins a set of items, ")" ends it
//   tag     text and 0; absent for ")"
//   dims    4 bytes each, the last one 0; only after 0x0B92
//   data    absent for a set
//
// A set SnapShot contains sets Parameters (Nobj, Time) and Particles (CoordSystem, Mass[N], PhaseSpace[N][2][3] or
// Position[N][3] and Velocity[N][3], Key[N], Eps[N]), in float or double.

const FormatEntry& nemo();

namespace nemo_files {

/// True for a file of the first version, whose items begin with a byte of flags, one for the type and two for the
/// length. Such files are not read.
bool is_old_style(std::span<const std::byte> head);

}  // namespace nemo_files
}  // namespace orrery
