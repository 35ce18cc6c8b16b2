// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>

#include "app/ui/compare_view.hpp"
#include "core/comparison.hpp"
#include "core/simulation.hpp"

namespace orrery {

/// A simulation without a window, together with the second one of a comparison, if there is one: the same steps as in
/// the window.
class ComparedRun {
public:
    explicit ComparedRun(Simulation first) : simulation{std::move(first)} {}

    /// One step of both. An error that stops only the second one is reported on stderr, as in the window, and the first
    /// continues.
    void step() { take_steps(1); }
    /// This many steps; without a comparison they are queued if possible. Bitwise identical.
    void take_steps(std::uint64_t steps);
    void settle();  ///< starts a requested comparison

    Simulation simulation;
    Comparison comparison;
    CompareView view;  ///< how both are shown
};

}  // namespace orrery
