// SPDX-License-Identifier: MIT
#pragma once
#include <chrono>
#include <cstddef>
#include <memory>
#include <vector>

#include "core/engines/report.hpp"
#include "core/live/timing.hpp"

namespace orrery {

class Simulation;
struct Status;

/// Times and results of a running simulation's force evaluations: the engine's report, errors, cells of its tree. Each
/// is collected at intervals, so that it takes a small share of the time. Belongs to the simulation's thread.
class ForceWatch {
public:
    /// Discards earlier measurements: another engine, or other bodies.
    void forget(Status& status);
    void measure_soon() { next_error_ = Clock::now(); }  ///< measurements are no longer valid

    /// An evaluation is complete.
    void evaluated(const Simulation& simulation);
    /// Report and error, if they are due.
    void take(const Simulation& simulation, Status& status);
    void take_report(const Simulation& simulation, Status& status);
    Timing timing() const { return times_.timing(); }

    /// Whole levels of cells from the root down, at most this many cells; 0: none.
    void want_cells(std::size_t most);
    /// Cells or colours are requested, but their forces have not been computed: at the beginning of a scene, or of an
    /// engine, or within a step.
    bool wanted(const Simulation& simulation) const;
    /// They are wanted and may be computed now. Within a step they wait for its end: the motion must not depend on
    /// observation.
    bool due(const Simulation& simulation) const;
    void take_cells_next() { next_cells_ = Clock::now(); }
    /// From the last complete evaluation; sometimes slightly old, except with `each`, where frames are viewed one by
    /// one.
    std::shared_ptr<const std::vector<TreeCell>> cells(const Simulation& simulation, bool each);

private:
    using Clock = std::chrono::steady_clock;
    void measure(const Simulation& simulation, Status& status);

    TimingWindow times_;
    std::shared_ptr<const std::vector<TreeCell>> cells_;
    std::size_t most_cells_ = 0;
    Clock::time_point next_error_{}, next_report_{}, next_cells_{};
};

}  // namespace orrery
