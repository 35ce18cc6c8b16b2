// SPDX-License-Identifier: MIT
#include "core/live/energy_curve.hpp"

#include <cmath>

#include "core/engines/menu.hpp"
#include "core/live/energy_monitor.hpp"
#include "core/live/status.hpp"
#include "core/simulation/simulation.hpp"

namespace orrery {

void EnergyCurve::restart(const Simulation& simulation, const Gravity& gravity) {
    first_ ? first_->cancel() : void(first_.emplace());
    ++serial_;
    energy_.reset(), last_.reset();
    totals_ = {};
    begun_ = simulation.time();
    taken_ = simulation.encounters().ledger.energy;
    begun_at_ = std::chrono::steady_clock::now();
    if (EnergyMonitor::watches(simulation))
        first_->start(simulation.system().copy(), gravity, best_backend(), serial_, law_of(simulation.engine_config()),
                      simulation.system().labels().charge);
}

void EnergyCurve::take(const Status& status) {
    if (!first_) return;
    if (const auto result = first_->take(); result && result->serial == serial_ && result->failure.empty())
        energy_ = result->diagnostics.total() + taken_;
    const double time = status.energy_time;
    if (!status.energy_now || status.energy_taken < begun_at_ || time == begun_ || last_ == time) return;
    last_ = time;
    totals_.add({time, status.energy_now->total() + status.energy_met.energy});
}

std::vector<EnergyPoint> EnergyCurve::points() const {
    if (!energy_ || *energy_ == 0) return {};
    std::vector<EnergyPoint> points{{begun_, 0}};
    for (const Total& each : totals_.points())
        points.push_back({each.time, (each.energy - *energy_) / std::abs(*energy_)});
    return points;
}

}  // namespace orrery
