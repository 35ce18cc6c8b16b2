// SPDX-License-Identifier: MIT
#include "core/live/energy_monitor.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/engines/menu.hpp"
#include "core/live/series_player.hpp"
#include "core/live/status.hpp"
#include "core/simulation/simulation.hpp"

namespace orrery {
namespace {

using Clock = std::chrono::steady_clock;
using Seconds = std::chrono::duration<double>;

constexpr std::size_t kTripletLimitCpu = 1024, kTripletLimitCuda = 8192;  // N³/6 triplets: about the same time
// Time between two energies in units of the time one takes: at least kEnergyWatchShare, but down to kLeastEnergyShare
// if that would be more than kOldEnergy.
constexpr double kEnergyWatchShare = 20, kLeastEnergyShare = 4;
constexpr Seconds kOldEnergy{10};

std::size_t triplet_limit(Backend backend) { return backend == Backend::kCuda ? kTripletLimitCuda : kTripletLimitCpu; }

}  // namespace

Seconds EnergyMonitor::gap_after(Seconds one) {
    const Seconds usual = std::max(Seconds{1}, kEnergyWatchShare * one);
    return usual <= kOldEnergy ? usual : std::max(kOldEnergy, kLeastEnergyShare * one);
}

bool EnergyMonitor::watches(const Simulation& simulation) {
    return law_of(simulation.engine_config()) == Law::kPairs ||
           simulation.system().count() <= triplet_limit(best_backend());
}

void EnergyMonitor::restart(const Simulation& simulation, Status& status) {
    energies_.cancel();
    ++serial_;
    status.energy.start.reset();
    status.energy.now.reset();
    next_ = Clock::now();
    const Backend backend = best_backend();
    const std::size_t count = simulation.system().count();
    const Law law = law_of(simulation.engine_config());
    on_ = watches(simulation);
    status.energy.note.clear();
    if (!on_)
        status.energy.note =
            fmt::format("energy is computed for up to {} bodies on {}", triplet_limit(backend), name(backend));
    if (const EngineConfig by = watched_energy_engine(law, simulation.scene().gravity.law, backend, count);
        on_ && by.engine == "tree")
        status.energy.note = fmt::format("W by {}, θ = {}: accurate to about 1e-5", by.engine, by.tree.theta);
}

void EnergyMonitor::collect(Status& status) {
    if (const auto result = energies_.take(); result && result->serial == serial_) {
        if (result->failure.empty()) {
            status.energy.now = result->diagnostics;
            status.energy.time = asked_time_, status.energy.step = asked_step_, status.energy.taken = asked_at_;
            status.energy.seconds = result->seconds;
            status.energy.met = asked_met_;
            if (!status.energy.start) status.energy.start = result->diagnostics, status.energy.start_met = asked_met_;
        } else {
            status.energy.note = result->failure;
        }
        const Seconds gap = gap_after(Seconds{result->seconds});
        next_ = Clock::now() + std::chrono::duration_cast<Clock::duration>(gap);
        moment_ = asked_;
    }
}

void EnergyMonitor::take(const Simulation& simulation, Status& status) {
    if (!on_) return;
    collect(status);
    const bool fresh = !status.energy.now || moment_ != simulation.now().moment;
    if (!fresh || simulation.within_step() || Clock::now() < next_ || energies_.busy()) return;
    asked_ = simulation.now().moment, asked_time_ = simulation.now().time;
    asked_step_ = simulation.now().steps, asked_at_ = Clock::now();
    asked_met_ = simulation.encounters().log().ledger;
    energies_.start(simulation.system().copy(), simulation.scene().gravity, best_backend(), serial_,
                    law_of(simulation.engine_config()), simulation.system().labels().charge);
}

void EnergyMonitor::take(const Simulation& simulation, const SeriesPlayer& player, Status& status) {
    if (!on_) return;
    const Interpolation::Moment& snapshot = player.reached();
    if (!snapshot) return take(simulation, status);  // the first snapshot is displayed
    collect(status);
    if ((status.energy.now && snapshot->time == status.energy.time) || Clock::now() < next_ || energies_.busy()) return;
    asked_ = simulation.now().moment, asked_time_ = snapshot->time;
    asked_step_ = simulation.now().steps, asked_at_ = Clock::now();
    Bodies bodies = simulation.system().labels();
    bodies.position_mass = snapshot->bodies.position_mass, bodies.velocity = snapshot->bodies.velocity;
    energies_.start(bodies, simulation.scene().gravity, best_backend(), serial_, law_of(simulation.engine_config()));
}

}  // namespace orrery
