// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <string_view>
#include <vector>

#include "core/base/vec.hpp"

namespace orrery {

/// Bodies along an edge of the tile if they were on a lattice.
inline constexpr int kGlassSide = 16;
inline constexpr std::size_t kGlassBodies = std::size_t{kGlassSide} * kGlassSide * kGlassSide;
/// Number of steps along an edge to which positions are rounded; each coordinate is stored as two digits.
inline constexpr unsigned kGlassSteps = 4096;
inline constexpr std::string_view kGlassDigits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz+-";

/// A cube with edge kGlassSide and one body per unit of volume, which can be repeated periodically. Distances between
/// bodies resemble those in a liquid, without order; make_glass.cpp describes how it was made.
std::vector<Vec3d> glass_tile();

}  // namespace orrery
