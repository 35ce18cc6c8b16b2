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

/// Collects times and results of a running simulation's force evaluations: engine report, errors, tree cells. Each is
/// collected at intervals, so that it takes a small part of the time. Belongs to the simulation's thread.
class ForceMonitor {
public:
    /// Discards earlier measurements; call for another engine or other bodies.
    void forget(Status& status);
    void measure_soon() { next_error_ = Clock::now(); }  ///< measurements are no longer valid

    /// Call when an evaluation is complete.
    void evaluated(const Simulation& simulation);
    /// Collects report and error, if they are due.
    void take(const Simulation& simulation, Status& status);
    void take_report(const Simulation& simulation, Status& status);
    Timing timing() const { return times_.timing(); }

    /// Requests complete levels of cells from the root down, at most `most` cells; 0: none.
    void want_cells(std::size_t most);
    /// True if cells or colours are requested but their forces have not been computed: at the start of a scene or
    /// engine, or within a step.
    bool wanted(const Simulation& simulation) const;
    /// True if they are needed and may be computed now. Within a step they wait for its end: the motion must not depend
    /// on observation.
    bool due(const Simulation& simulation) const;
    void take_cells_next() { next_cells_ = Clock::now(); }
    /// Cells of the last complete evaluation; may be slightly old, except with `each`, for frames viewed one by one.
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
