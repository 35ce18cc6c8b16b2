// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <span>
#include <string_view>

#include "core/bodies/bodies.hpp"

namespace orrery {

/// One stage of a step: x += fraction·dt·v, v += fraction·dt·a, or a new evaluation of a. The others belong to schemes
/// with individual steps: begin a step; predict to the next time at which bodies are due; evaluate a for these (with
/// Hermite schemes the jerk too); correct them; repeat from the prediction until all have reached the end.
struct Stage {
    enum class Op { kKick, kDrift, kForce, kBegin, kPredict, kForceDue, kCorrect, kRepeat } op;
    double fraction = 0;
};

/// A line of the integrator menu: a splitting scheme is its list of stages. A scheme whose first stage is a kick or
/// kBegin uses the accelerations of the previous step.
struct IntegratorEntry {
    std::string_view id, label, doc;
    int order;        ///< order of the global error
    bool reversible;  ///< steps of −dt retrace its steps, up to rounding
    std::span<const Stage> stages;
    bool jerk = false;        ///< every evaluation also computes jerks; needs an engine with EngineEntry::jerk
    bool individual = false;  ///< individual steps within dt; Scene::adaptive is their η, 0: kBlockEta

    bool splits() const { return stages.front().op != Stage::Op::kBegin; }  ///< into kicks and drifts of all bodies
};

/// Default η of individual steps: the Aarseth criterion then conserves energy to about 1e-6 per dynamical time.
inline constexpr double kBlockEta = 0.01;

std::span<const IntegratorEntry> integrators();
/// Throws Error{kUsage} naming the id and listing the menu.
const IntegratorEntry& integrator(std::string_view id);

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
