// SPDX-License-Identifier: MIT
#include "core/live/rewind.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "core/base/error.hpp"

namespace orrery {
namespace {

using Seconds = std::chrono::duration<double>;

constexpr Seconds kRewindPeriod{0.1};
constexpr double kRewindShare = 25;  // time between snapshots is at least this multiple of the time one takes
constexpr double kMiB = 1 << 20;

std::size_t bytes_of_one(const Simulation& simulation) {
    const bool single = simulation.engine_config().precision == Precision::kSingle;
    return simulation.system().count() * 3 * (single ? sizeof(Vec4f) : sizeof(Vec4d));
}

}  // namespace

RewindMonitor::RewindMonitor(Copy copy)
    : copy_{std::move(copy)},
      way_{[](const Way::Task& task) {
               BodyState state = task.job()->state();
               task.publish([&](Arrived& arrived) { arrived.bodies = std::move(state); });
           },
           [](Arrived& arrived, const std::string& failure) { arrived.failure = failure; }} {
    ring_.set_budget(kStandardBudget);
}

void RewindMonitor::restart(const Simulation& simulation) {
    restart_later();
    begins(simulation);
}

void RewindMonitor::restart_later() {
    forget_coming();
    ring_.clear();
    went_back_ = false;
    due_ = true;
}

void RewindMonitor::begins(const Simulation& simulation) {
    if (!due_ || simulation.within_step()) return;
    due_ = false;
    if (ring_.empty() && !coming_) take(simulation);
}

void RewindMonitor::set_budget(const Simulation& simulation, std::size_t bytes) {
    wait();
    ring_.set_budget(bytes);
    if (has_room(simulation)) keep_present(simulation);
}

bool RewindMonitor::has_room(const Simulation& simulation) {
    const std::size_t bytes = bytes_of_one(simulation);
    note_.clear();
    if (ring_.fits(bytes)) return true;
    ring_.clear();
    note_ = fmt::format("rewinding is not possible: three snapshots of {:.3g} MiB exceed {:.0f} MiB",
                        static_cast<double>(bytes) / kMiB, static_cast<double>(ring_.budget()) / kMiB);
    return false;
}

void RewindMonitor::stepped(const Simulation& simulation, std::uint64_t steps) {
    if (went_back_) ring_.drop_after(simulation.now().moment - steps);  // a new future begins
    went_back_ = false;
    collect();
    if (!coming_ && Clock::now() >= next_) take(simulation);
}

/// A device copies the state and continues while it is transferred to the host. A failure causes a note instead of a
/// snapshot: it must not end the simulation.
void RewindMonitor::take(const Simulation& simulation) {
    asked_ = Clock::now();
    try {
        if (has_room(simulation)) begin(simulation);
    } catch (const Error& error) {
        note_failure(error.what());
    }
    plan_next();
}

void RewindMonitor::begin(const Simulation& simulation) {
    auto bodies = copy_(simulation.system());
    if (bodies->at_hand()) return ring_.add(simulation.snapshot(bodies->state()));
    coming_ = Coming{simulation.snapshot(BodyState{}), bodies};
    way_.start(std::move(bodies), [](Arrived& arrived) { arrived = {}; });
}

void RewindMonitor::note_failure(const std::string& why) { note_ = "a rewind snapshot could not be kept: " + why; }

void RewindMonitor::plan_next() {
    const auto now = Clock::now();
    const Seconds gap = std::max(kRewindPeriod, kRewindShare * Seconds{now - asked_});
    next_ = now + std::chrono::duration_cast<Clock::duration>(gap);
}

void RewindMonitor::collect() {
    if (!coming_) return;
    Arrived arrived = way_.take([](Arrived& latest, bool) { return std::exchange(latest, {}); });
    if (arrived.bodies) {
        coming_->snapshot.bodies = *std::move(arrived.bodies);
        ring_.add(std::move(coming_->snapshot));
    } else if (!arrived.failure.empty()) {
        note_failure(arrived.failure);
    } else if (way_.busy()) {
        return;
    }
    coming_.reset();
    plan_next();
}

void RewindMonitor::wait() {
    if (!coming_) return;
    way_.forget([](Arrived& arrived) { arrived = {}; });
    try {
        coming_->snapshot.bodies = coming_->bodies->state();
        ring_.add(std::move(coming_->snapshot));
    } catch (const Error& error) {
        note_failure(error.what());
    }
    coming_.reset();
}

void RewindMonitor::forget_coming() {
    way_.forget([](Arrived& arrived) { arrived = {}; });
    coming_.reset();
}

void RewindMonitor::keep_present(const Simulation& simulation) {
    wait();
    if (simulation.within_step()) return;  // the last snapshot is the nearest available
    if (ring_.empty() || ring_.moments()->back().moment < simulation.now().moment) take(simulation), wait();
}

void RewindMonitor::require_past() const {
    if (ring_.empty()) usage_error(note_.empty() ? "there is no snapshot to rewind to" : note_);
}

void RewindMonitor::go_to(Simulation& simulation, std::uint64_t moment) {
    wait();
    if (!went_back_) keep_present(simulation);
    require_past();
    simulation.restore(ring_.nearest(moment));
    went_back_ = true;
}

void RewindMonitor::go_by(Simulation& simulation, int snapshots) {
    wait();
    if (!went_back_) keep_present(simulation);
    require_past();
    simulation.restore(ring_.beside(simulation.now().moment, snapshots));
    went_back_ = true;
}

void RewindMonitor::report_to(const Simulation& simulation, Timeline& timeline) const {
    timeline.moments = ring_.moments();
    timeline.now = {simulation.now().moment, simulation.now().steps, simulation.now().time};
    timeline.bytes = ring_.bytes();
    timeline.budget = ring_.budget();
    timeline.note = note_;
}

}  // namespace orrery
