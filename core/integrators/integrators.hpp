// SPDX-License-Identifier: MIT
#pragma once
#include <span>
#include <string_view>

namespace orrery {

/// One stage of a step: x += fraction·dt·v, v += fraction·dt·a, or a fresh evaluation of a. The others are those of
/// Hermite's scheme: begin a step; predict to the next time at which bodies are due; a and jerk of these; correct them;
/// predict again unless all have arrived.
struct Stage {
    enum class Op { kKick, kDrift, kForce, kBegin, kPredict, kForceDue, kCorrect, kRepeat } op;
    double fraction = 0;
};

/// A line of the integrator menu: a splitting scheme is its list of stages. A scheme whose first stage is a kick or
/// kBegin uses the accelerations that the step before left.
struct IntegratorEntry {
    std::string_view id, label, doc;
    int order;        ///< of the error after a fixed time
    bool reversible;  ///< steps of −dt take its steps back, up to rounding
    std::span<const Stage> stages;
    bool jerk = false;        ///< every evaluation gives jerks too: needs an engine that has EngineEntry::jerk
    bool individual = false;  ///< bodies have steps of their own within dt; Scene::adaptive is their η, 0: kBlockEta
};

/// Of Aarseth's criterion, where a scene says nothing: energies are then kept to some 1e-6 in a dynamical time.
inline constexpr double kBlockEta = 0.01;

std::span<const IntegratorEntry> integrators();
/// Throws Error{kUsage} naming the id and listing the menu.
const IntegratorEntry& integrator(std::string_view id);

}  // namespace orrery
