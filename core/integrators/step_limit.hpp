// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>

#include "core/bodies/bodies.hpp"
#include "core/integrators/integrators.hpp"

namespace orrery {

/// The search over all pairs runs in one thread before each step: with more bodies it would take longer than the
/// forces.
inline constexpr std::size_t kMostAdaptive = 2048;

/// A step in which no pair moves far along its relative orbit: η · min over pairs of 1 / √(ω² + (v/r)²), with ω² = G (m
/// + m') / (r² + ε²)^(3/2), where r is the relative position with the same softening and v the relative velocity. On a
/// circular orbit ω = v/r, so this is η / (√8 π) of a period. Infinite for fewer than two bodies.
double step_limit(const Bodies& bodies, const Gravity& gravity, double eta);

/// Throws Error{kUsage} if η is not in 0 … 1, or if it is not 0 and there are too many bodies to examine all pairs.
void require_adaptive(double eta, std::size_t bodies, const IntegratorEntry& integrator);
/// Throws Error{kUsage} if η is not 0 and the law does not attract masses, which define the time scale of a pair.
void require_adaptive(double eta, PairLaw law);

}  // namespace orrery
