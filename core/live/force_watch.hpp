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

/// What a running simulation's force evaluations cost and give: their times, the engine's report, errors, cells of its
/// tree. Each is had now and then, so that it costs a small share of the time. Belongs to the simulation's thread.
class ForceWatch {
public:
    /// Forgets what was measured: another engine, or other bodies.
    void forget(Status& status);
    void measure_soon() { next_error_ = Clock::now(); }  ///< what was measured is no longer true

    /// An evaluation is whole.
    void evaluated(const Simulation& simulation);
    /// Report and error, where they are due.
    void take(const Simulation& simulation, Status& status);
    void take_report(const Simulation& simulation, Status& status);
    Timing timing() const { return times_.timing(); }

    /// Whole levels of cells from the root downward, at most so many; 0: none.
    void want_cells(std::size_t most);
    /// Cells or colours are wanted of forces that are not there: at the beginning of a scene, or of an engine. (In the
    /// middle of a step they wait for its end: bodies must not depend on who looks at them.)
    bool due(const Simulation& simulation) const;
    void take_cells_next() { next_cells_ = Clock::now(); }
    /// Of the last forces that were whole; a little old at times, but for `each`, where frames are looked at one by
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
