// SPDX-License-Identifier: MIT
#include "core/live/structure_monitor.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <exception>
#include <memory>
#include <utility>

#include "core/base/memory.hpp"
#include "core/base/thread_clock.hpp"
#include "core/live/series_player.hpp"
#include "core/simulation/conservation.hpp"
#include "core/simulation/simulation.hpp"

namespace orrery {
namespace {

using Seconds = std::chrono::duration<double>;

constexpr std::uint64_t kBytesPerBody = 240;  // upper bound: the copy, its double version, keys and curve positions

double seconds_since(std::chrono::steady_clock::time_point start) {
    return Seconds{std::chrono::steady_clock::now() - start}.count();
}

bool all_finite(const Bodies& bodies) {
    const auto finite = [](const auto& v) { return std::isfinite(v.x) && std::isfinite(v.y) && std::isfinite(v.z); };
    return std::ranges::all_of(bodies.position_mass, finite) && std::ranges::all_of(bodies.velocity, finite);
}

}  // namespace

StructureMonitor::StructureMonitor()
    : work_{[](const Work::Task& task) {
                const double start = thread_cpu_seconds();
                Pool pool{0, true};
                const Bodies bodies = bodies_of(std::exchange(task.job().bodies, nullptr)->state());
                if (!all_finite(bodies)) return;  // no result; the simulation reports the lost body
                auto structure = std::make_shared<const Structure>(structure_of(pool, bodies));
                const double seconds = thread_cpu_seconds() - start;
                task.publish([&](std::optional<Result>& latest) { latest = {std::move(structure), seconds, {}}; });
            },
            [](std::optional<Result>& latest, const std::string& failure) {
                if (!failure.empty()) latest = {nullptr, 0, failure};
            }} {}

void StructureMonitor::restart(const Simulation& simulation, StructureStatus& status) {
    work_.forget([](std::optional<Result>& latest) { latest.reset(); });
    status = {.serial = status.serial};
    next_ = Clock::now();
    asked_ = false;
    const std::uint64_t needed = kBytesPerBody * simulation.system().count(), free = available_memory();
    on_ = free == 0 || needed < free / 2;
    if (!on_)
        status.note =
            fmt::format("structure is not analysed: it needs {:.1f} GB, more than half of the {:.1f} GB of free memory",
                        1e-9 * static_cast<double>(needed), 1e-9 * static_cast<double>(free));
}

void StructureMonitor::collect(StructureStatus& status) {
    auto result = work_.take([](std::optional<Result>& latest, bool) { return std::exchange(latest, std::nullopt); });
    if (!result) return;
    if (!result->structure) {
        status.note = result->failure;
        on_ = false;  // it would only fail again
        return;
    }
    status.now = result->structure;
    status.time = asked_time_, status.step = asked_step_, status.taken = asked_at_;
    status.met = asked_met_;
    if (!status.start) status.start = status.now, status.start_time = status.time, status.start_met = asked_met_;
    ++status.serial;
    status.seconds = copy_seconds_ + result->seconds;
    status.period = std::max(kPeriod, kShare * status.seconds);
    next_ = asked_at_ + std::chrono::duration_cast<Clock::duration>(Seconds{status.period});
}

void StructureMonitor::take(const Simulation& simulation, StructureStatus& status) {
    if (!on_) return;
    collect(status);
    const bool fresh = !asked_ || asked_moment_ != simulation.now().moment;
    if (!fresh || simulation.within_step() || !ready()) return;
    const auto start = Clock::now();
    auto bodies = simulation.system().copy();
    copy_seconds_ = seconds_since(start);
    ask(simulation, simulation.now().time, std::move(bodies));
}

void StructureMonitor::take(const Simulation& simulation, const SeriesPlayer& player, StructureStatus& status) {
    if (!on_) return;
    const Interpolation::Moment& snapshot = player.reached();
    if (!snapshot) return take(simulation, status);  // the first snapshot is displayed
    collect(status);
    if ((asked_ && asked_time_ == snapshot->time) || !ready()) return;
    const auto start = Clock::now();
    auto bodies = std::make_shared<const HostCopy>(state_of(snapshot->bodies));
    copy_seconds_ = seconds_since(start);
    ask(simulation, snapshot->time, std::move(bodies));
}

void StructureMonitor::ask(const Simulation& simulation, double time, std::shared_ptr<const BodyCopy> bodies) {
    asked_ = true;
    asked_moment_ = simulation.now().moment, asked_time_ = time, asked_step_ = simulation.now().steps;
    asked_at_ = Clock::now(), asked_met_ = simulation.encounters().log().ledger;
    work_.start({std::move(bodies)}, [](std::optional<Result>& latest) { latest.reset(); });
}

}  // namespace orrery
