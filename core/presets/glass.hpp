// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <string_view>
#include <vector>

#include "core/base/vec.hpp"

namespace orrery {

/// Bodies along an edge of the tile, if they stood on a lattice.
inline constexpr int kGlassSide = 16;
inline constexpr std::size_t kGlassBodies = std::size_t{kGlassSide} * kGlassSide * kGlassSide;
/// Places are kept in steps of this part of the edge, a number as two of the digits.
inline constexpr unsigned kGlassSteps = 4096;
inline constexpr std::string_view kGlassDigits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz+-";

/// A cube of edge kGlassSide with one body per unit of volume, which continues in all directions when it is repeated.
/// Bodies are as far from each other as those of a liquid, in no order: make_glass.cpp says how they came there.
std::vector<Vec3d> glass_tile();

}  // namespace orrery
