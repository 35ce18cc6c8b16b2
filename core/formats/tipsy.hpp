// SPDX-License-Identifier: MIT
#pragma once
#include "core/formats/formats.hpp"

namespace orrery {

// TIPSY binary snapshots. Header: double time; int32 bodies, dimensions (3), gas, dark, star; and in all but the oldest
// files 4 bytes of padding, which some programs use for a version. Then records of floats, 12 for gas, 9 for dark, 11
// for star, each beginning with mass, position, velocity. Standard files are big-endian (XDR), native ones have the
// byte order of the machine.

const FormatEntry& tipsy_native();    ///< little-endian
const FormatEntry& tipsy_standard();  ///< big-endian

}  // namespace orrery
