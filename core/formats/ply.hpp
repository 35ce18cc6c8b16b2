// SPDX-License-Identifier: MIT
#pragma once
#include "core/formats/formats.hpp"

namespace orrery {

/// Binary PLY: points with velocity, mass and fields.
const FormatEntry& ply();

}  // namespace orrery
