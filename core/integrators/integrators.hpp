// SPDX-License-Identifier: MIT
#pragma once
#include <span>
#include <string_view>

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

}  // namespace orrery
