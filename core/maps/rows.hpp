// SPDX-License-Identifier: MIT
// Index arithmetic shared by the maps: that of the installed library, core/maps/exact.
#pragma once
#include <cstdint>

#include "core/base/hd.hpp"
#include "core/maps/exact/exact_maps.hpp"

namespace orrery {

using exact::floor_less;
using exact::kBelow;
using exact::kMostRows;
using exact::kNarrowRows;
using exact::row_of;
using exact::tiles_before;  // `triangular` of map.hpp without a branch

}  // namespace orrery
