// SPDX-License-Identifier: MIT
#include "core/live/paired_energies.hpp"

#include <cmath>
#include <utility>

#include "core/engines/menu.hpp"
#include "core/live/monitors.hpp"
#include "core/simulation/simulation.hpp"

namespace orrery {

EnergyState::EnergyState(const Simulation& simulation)
    : charge{simulation.system().labels().charge},
      gravity{simulation.scene().gravity},
      law{law_of(simulation.engine_config())},
      taken{simulation.encounters().log().ledger.energy} {
    if (EnergyMonitor::watches(simulation)) bodies = simulation.system().copy();
}

EnergyState::EnergyState(const Simulation& simulation, const Bodies& other)
    : charge{other.charge}, gravity{simulation.scene().gravity}, law{law_of(simulation.engine_config())}, taken{0} {
    if (EnergyMonitor::watches(simulation)) bodies = std::make_shared<HostCopy>(state_of(other));
}

void PairedEnergies::restart(double time, EnergyState a, EnergyState b) {
    if (work_)
        for (BackgroundDiagnostics& each : *work_) each.cancel();
    waited_for_.clear();
    first_.reset();
    later_ = {};
    take(time, std::move(a), std::move(b));
}

bool PairedEnergies::due() {
    collect();
    return !in_progress() && std::chrono::steady_clock::now() >= next_;
}

void PairedEnergies::take(double time, EnergyState a, EnergyState b) {
    if (in_progress()) return;
    if (!work_) work_ = std::make_unique<std::array<BackgroundDiagnostics, kSides>>();
    const std::array<Forces, kSides> forces{Forces{a.gravity, a.law}, Forces{b.gravity, b.law}};
    if (forces != forces_) first_.reset(), later_ = {};
    forces_ = forces;
    ++serial_;
    sample_ = {time, {}};
    taken_ = {a.taken, b.taken};
    seconds_ = 0;
    if (a.bodies) waited_for_.push_back(0);
    if (b.bodies) waited_for_.push_back(1);
    states_ = {std::move(a), std::move(b)};
    collect();
}

/// Work that was cancelled may still be ending: then the state waits for it.
void PairedEnergies::start(std::size_t side) {
    std::optional<EnergyState>& state = states_[side];
    BackgroundDiagnostics& work = (*work_)[side];
    if (!state || work.busy()) return;
    work.start(std::move(state->bodies), state->gravity, best_backend(), serial_, state->law, std::move(state->charge));
    state.reset();
}

void PairedEnergies::collect() {
    if (!in_progress()) return;
    std::erase_if(waited_for_, [&](std::size_t side) {
        start(side);
        const auto result = (*work_)[side].take();
        if (!result || result->serial != serial_) return false;
        if (result->failure.empty()) sample_.energies[side] = result->diagnostics.total() + taken_[side];
        seconds_ += result->seconds;
        return true;
    });
    if (in_progress()) return;
    next_ = std::chrono::steady_clock::now() + std::chrono::duration_cast<std::chrono::steady_clock::duration>(
                                                   EnergyMonitor::gap_after(std::chrono::duration<double>{seconds_}));
    first_ ? later_.add(sample_) : void(first_ = sample_);
}

std::vector<EnergyPoint> PairedEnergies::points(std::size_t side) const {
    if (!first_ || first_->energies[side].value_or(0) == 0) return {};
    const double first = *first_->energies[side];
    std::vector<EnergyPoint> points{{first_->time, 0}};
    for (const Sample& each : later_.points())
        if (const auto energy = each.energies[side]) points.push_back({each.time, (*energy - first) / std::abs(first)});
    return points;
}

}  // namespace orrery
