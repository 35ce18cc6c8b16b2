// SPDX-License-Identifier: MIT
#pragma once
#include <array>

#include "core/formats/formats.hpp"

namespace orrery {

// Snapshots of Gadget (user guide of Gadget-2, §6; Springel 2005, MNRAS 364, 1105), SnapFormat 1 and 2, both byte
// orders, in one file or several. A file is a sequence of Fortran records: length, data, length again, the lengths in
// 32 bits. In SnapFormat 2 a record of 8 bytes with a label of four characters precedes each. The first record is
// the header of 256 bytes; then positions, velocities and ids of all bodies in order of their species, and masses of
// those species that have none in the header. Numbers have 4 or 8 bytes, as determined by the length of the record.

/// SnapFormat 1 and 2 in little-endian and big-endian order.
std::span<const FormatEntry> gadget_formats();

}  // namespace orrery
