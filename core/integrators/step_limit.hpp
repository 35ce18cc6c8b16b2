// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>

#include "core/bodies/bodies.hpp"
#include "core/integrators/integrators.hpp"

namespace orrery {

/// All pairs are looked at before each step, in one thread: more bodies would wait for that, not for their forces.
inline constexpr std::size_t kMostAdaptive = 2048;

/// A step by which no pair moves far on its way about each other: η · min over pairs of 1 / √(ω² + (v/r)²), with
/// ω² = G (m + m') / (r² + ε²)^(3/2) and r, v the relative place (softened likewise) and velocity. On a circular orbit
/// ω = v/r, so this is η / (√8 π) of a period. Infinite for less than two bodies.
double step_limit(const Bodies& bodies, const Gravity& gravity, double eta);

/// Throws Error{kUsage} when η is not 0 … 1, or when it is not 0 and there are too many bodies for it to follow pairs.
void require_adaptive(double eta, std::size_t bodies, const IntegratorEntry& integrator);

}  // namespace orrery
