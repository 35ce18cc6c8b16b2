// SPDX-License-Identifier: MIT
#pragma once
#include <string>

#include "core/bodies/bodies.hpp"
#include "core/engines/config.hpp"
#include "core/physics/gravity.hpp"

namespace orrery {

/// A clause that names the first quantity of these bodies under gravity that leaves the range of the engine's
/// precision: "distances of up to 1e+20: their squares exceed 3.4e+38". Empty if none does, and for other laws of
/// pairs, whose parameters set the units.
///
/// Engines that compute in units of the scene need squares and cubes of its distances within range, EngineEntry::
/// own_units those of their results alone. docs/guide.md, Precision, has the ranges.
std::string unrepresentable(const Bodies& bodies, const Gravity& gravity, const EngineConfig& engine);

/// Throws Error{kUsage} that names the precision, what it cannot hold, and --precision double or other units as the way
/// out.
void require_representable(const Bodies& bodies, const Gravity& gravity, const EngineConfig& engine);

}  // namespace orrery
