// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>

#include "app/picture/compare_view.hpp"
#include "core/live/comparison.hpp"
#include "core/simulation/simulation.hpp"

namespace orrery {

/// A simulation without a window, and beside it the second one of a comparison, if there is one: the same steps as in
/// the window.
class ComparedRun {
public:
    explicit ComparedRun(Simulation first) : simulation{std::move(first)} {}

    /// One step of both. What stops the second one alone is told on stderr, as the window does, and the first goes on.
    void step() { take_steps(1); }
    /// So many; those of a simulation that nobody compares are queued where they can be. The same bits.
    void take_steps(std::uint64_t steps);
    void settle();  ///< lets a comparison begin that was asked for

    Simulation simulation;
    Comparison comparison;
    CompareView view;  ///< how both are seen
};

}  // namespace orrery
