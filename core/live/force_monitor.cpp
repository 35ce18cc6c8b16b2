// SPDX-License-Identifier: MIT
#include "core/live/force_monitor.hpp"

#include <algorithm>

#include "core/engines/menu.hpp"
#include "core/live/status.hpp"
#include "core/physics/law.hpp"
#include "core/simulation/simulation.hpp"

namespace orrery {
namespace {

using Clock = std::chrono::steady_clock;
using Seconds = std::chrono::duration<double>;

constexpr Seconds kErrorPeriod{2};
constexpr Seconds kReportPeriod{0.25};  // a device's report waits for its events
constexpr Seconds kCellsPeriod{0.1};
/// Time between two measurements on the host (force errors and cells), in units of the time one takes.
constexpr double kMeasureShare = 20;

Clock::time_point after(Clock::time_point from, Seconds gap) {
    return from + std::chrono::duration_cast<Clock::duration>(gap);
}

}  // namespace

void ForceMonitor::forget(Status& status) {
    status.force.error.reset();
    status.force.net.reset();
    status.engine.report = {};
    times_.clear();
    cells_.reset();
    next_error_ = next_report_ = next_cells_ = Clock::now();
}

void ForceMonitor::evaluated(const Simulation& simulation) { times_.add(simulation.forces().last_seconds()); }

void ForceMonitor::take(const Simulation& simulation, Status& status) {
    const auto now = Clock::now();
    if (now >= next_report_) take_report(simulation, status);
    if (now >= next_error_ && simulation.forces().fresh()) measure(simulation, status);
}

void ForceMonitor::take_report(const Simulation& simulation, Status& status) {
    status.engine.report = simulation.system().engine_report();
    next_report_ = after(Clock::now(), kReportPeriod);
}

void ForceMonitor::measure(const Simulation& simulation, Status& status) {
    const auto start = Clock::now();
    const BodySystem& system = simulation.system();
    const Law law = law_of(simulation.engine_config());
    const std::size_t samples = law == Law::kPairs ? std::clamp<std::size_t>(1'500'000 / system.count(), 8, 256)
                                                   : affordable_samples(law, 256, system.count(), 3e6);  // some 20 ms
    status.force.error = system.force_error(simulation.scene().gravity, samples);
    status.force.net = system.net_force();
    const auto end = Clock::now();
    next_error_ = after(end, std::max(kErrorPeriod, kMeasureShare * Seconds{end - start}));
}

void ForceMonitor::want_cells(std::size_t most) {
    most_cells_ = most;
    take_cells_next();
}

bool ForceMonitor::wanted(const Simulation& simulation) const {
    return (most_cells_ > 0 || simulation.forces().color_due()) && !simulation.forces().fresh();
}

bool ForceMonitor::due(const Simulation& simulation) const { return wanted(simulation) && !simulation.within_step(); }

std::shared_ptr<const std::vector<TreeCell>> ForceMonitor::cells(const Simulation& simulation, bool each) {
    if (most_cells_ == 0) cells_.reset();
    const auto now = Clock::now();
    if (most_cells_ == 0 || (now < next_cells_ && !each) || !simulation.forces().fresh()) return cells_;
    cells_ = std::make_shared<const std::vector<TreeCell>>(simulation.system().engine_cells(most_cells_));
    next_cells_ = after(now, std::max(kCellsPeriod, kMeasureShare * Seconds{Clock::now() - now}));
    return cells_;
}

}  // namespace orrery
