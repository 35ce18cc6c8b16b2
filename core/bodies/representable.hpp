// SPDX-License-Identifier: MIT
#pragma once
#include <string>

#include "core/bodies/bodies.hpp"
#include "core/bodies/body_source.hpp"
#include "core/engines/config.hpp"
#include "core/physics/gravity.hpp"

namespace orrery {

/// Names the first quantity of these bodies under gravity that is outside the range of the engine's precision, as a
/// clause: "distances (with softening) of up to 1e+20: their squares exceed 3.4e+38". Empty if there is none, and for
/// other pair laws, whose parameters set the units.
///
/// Engines that compute in the scene's units need squares and cubes of distances within range; those with
/// EngineEntry::own_units only their results. docs/guide/engines.md, Precision, lists the ranges.
std::string unrepresentable(const Bodies& bodies, const Gravity& gravity, const EngineConfig& engine);

/// The same for bodies that were read as `bodies`.
std::string unrepresentable(const MeasuredSource& bodies, const Gravity& gravity, const EngineConfig& engine);
/// Bodies that MeasuredSource samples for these functions.
inline constexpr std::size_t kMeasuredSample = 4096;

/// Throws Error{kUsage} that names the precision, the quantity that exceeds it, and the remedy: --precision double or
/// other units.
void require_representable(const MeasuredSource& bodies, const Gravity& gravity, const EngineConfig& engine);
void require_representable(const Bodies& bodies, const Gravity& gravity, const EngineConfig& engine);

}  // namespace orrery
