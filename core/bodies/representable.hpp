// SPDX-License-Identifier: MIT
#pragma once
#include <string>

#include "core/bodies/bodies.hpp"
#include "core/engines/config.hpp"
#include "core/physics/gravity.hpp"

namespace orrery {

/// What the arithmetic of an engine in its precision cannot hold of these bodies under gravity, as a clause: "distances
/// of up to 1e+20: their squares exceed 3.4e+38"; empty if it holds all. Other laws have units of their own, and are
/// not looked at.
///
/// Engines that compute in units of the scene need squares and cubes of its distances within range, EngineEntry::
/// own_units those of their results alone. docs/measuring.md has the ranges.
std::string unrepresentable(const Bodies& bodies, const Gravity& gravity, const EngineConfig& engine);

/// Throws Error{kUsage} that names the precision, what it cannot hold, and --precision double or other units as the way
/// out.
void require_representable(const Bodies& bodies, const Gravity& gravity, const EngineConfig& engine);

}  // namespace orrery
