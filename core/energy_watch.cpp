// SPDX-License-Identifier: MIT
#include "core/energy_watch.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/simulation.hpp"
#include "core/status.hpp"

namespace orrery {
namespace {

using Clock = std::chrono::steady_clock;
using Seconds = std::chrono::duration<double>;

constexpr std::size_t kLimitCpu = 65'536, kLimitCuda = 524'288;           // N² pairs in double: a few seconds
constexpr std::size_t kTripletLimitCpu = 1024, kTripletLimitCuda = 8192;  // N³/6 triplets: likewise
constexpr double kShare = 20;  // the time between two energies is at least this many times the time one takes

}  // namespace

void EnergyWatch::restart(const Simulation& simulation, Status& status) {
    energies_.cancel();
    ++serial_;
    status.energy_start.reset();
    status.energy_now.reset();
    next_ = Clock::now();
    const Backend backend = best_backend();
    const bool pairs = law_of(simulation.engine_config()) == Law::kGravity, cuda = backend == Backend::kCuda;
    const std::size_t limit = pairs ? (cuda ? kLimitCuda : kLimitCpu) : (cuda ? kTripletLimitCuda : kTripletLimitCpu);
    on_ = simulation.system().count() <= limit;
    status.energy_note = on_ ? "" : fmt::format("energy is watched up to {} bodies on {}", limit, name(backend));
}

void EnergyWatch::take(const Simulation& simulation, Status& status) {
    if (!on_) return;
    if (const auto result = energies_.take(); result && result->serial == serial_) {
        if (result->failure.empty()) {
            status.energy_now = result->diagnostics;
            if (!status.energy_start) status.energy_start = result->diagnostics;
        } else {
            status.energy_note = result->failure;
        }
        const auto gap = Seconds{std::max(1.0, kShare * result->seconds)};
        next_ = Clock::now() + std::chrono::duration_cast<Clock::duration>(gap);
        moment_ = asked_, time_ = asked_time_;
    }
    const bool fresh = !status.energy_now || moment_ != simulation.moment();
    if (!fresh || simulation.within_step() || Clock::now() < next_ || energies_.busy()) return;
    asked_ = simulation.moment(), asked_time_ = simulation.time();
    energies_.start(simulation.system().bodies(), simulation.gravity(), best_backend(), serial_,
                    law_of(simulation.engine_config()));
}

}  // namespace orrery
