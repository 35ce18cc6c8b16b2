// SPDX-License-Identifier: MIT
#pragma once
#include <span>
#include <string_view>

namespace orrery {

/// One stage of a step: x += fraction·dt·v, v += fraction·dt·a, or a fresh evaluation of a.
struct Stage {
    enum class Op { kKick, kDrift, kForce } op;
    double fraction = 0;
};

/// A line of the integrator menu: a splitting scheme is its list of stages. A scheme whose first stage is a kick uses
/// the accelerations that the step before left.
struct IntegratorEntry {
    std::string_view id, label, doc;
    int order;        ///< of the error after a fixed time
    bool reversible;  ///< steps of −dt take its steps back, up to rounding
    std::span<const Stage> stages;
};

std::span<const IntegratorEntry> integrators();
/// Throws Error{kUsage} naming the id and listing the menu.
const IntegratorEntry& integrator(std::string_view id);

}  // namespace orrery
