// SPDX-License-Identifier: MIT
#pragma once
#include <array>

#include "core/formats/formats.hpp"

namespace orrery {

// Snapshots of Gadget (user guide of Gadget-2, §6; Springel 2005, MNRAS 364, 1105), SnapFormat 1 and 2, both byte
// orders, in one file or several. A file is a row of Fortran records: bytes, data, bytes again, the lengths in 32 bits.
// In SnapFormat 2 a record of 8 bytes with a label of four letters comes before each. The first record is the header of
// 256 bytes; then places, velocities and ids of all bodies in order of their species, and masses of those species that
// have none in the header. Numbers are of 4 or 8 bytes: the length of the record tells.

/// SnapFormat 1 and 2 in little-endian and big-endian order.
std::span<const FormatEntry> gadget_formats();

}  // namespace orrery
