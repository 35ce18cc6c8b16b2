// SPDX-License-Identifier: MIT
#include "app/window/plots/power.hpp"

#include <chrono>

#include "app/platform/machine.hpp"
#include "app/window/layout/detached_panels.hpp"

namespace orrery {
namespace {

constexpr double kLongAverage = 10;               // seconds
constexpr std::uint64_t kEnoughEvaluations = 10;  // fewer only in a long average

/// Other work on the device, or other devices at work, would falsify the work per joule.
bool only_evaluates(const Status& status) {
    return !status.pace.paused && !status.compare.on && status.engine.ranks == 1;
}

}  // namespace

void PowerMeter::add(const EnergyCounterMonitor::State& counter, const Status& status) {
    const Backend backend = status.engine.config.backend;
    if (from_ && (from_->backend != backend || from_->scene != status.scene.serial ||
                  from_->forces > status.force.body_forces || !only_evaluates(status)))
        from_.reset(), state_.bodies_per_joule.reset();
    if (state_.counter != counter.name) changes_ = 0, state_.watts.reset();
    state_.counter = counter.name, state_.why_not = counter.why_not;
    if (!counter.why_not.empty()) {
        from_.reset(), state_.watts.reset(), state_.bodies_per_joule.reset();
        return;
    }
    if (counter.changes == changes_) return;
    changes_ = counter.changes;
    if (changes_ > 1) state_.watts = watts(counter.before, counter.last);
    if (!only_evaluates(status)) return;
    const Mark now{
        .reading = counter.last, .forces = status.force.body_forces, .scene = status.scene.serial, .backend = backend};
    if (from_) {
        const std::uint64_t forces = now.forces - from_->forces;
        if (forces == 0) return;
        if (forces < kEnoughEvaluations * status.bodies && now.reading.seconds - from_->reading.seconds < kLongAverage)
            return;
        state_.bodies_per_joule = 1e6 * static_cast<double>(forces) /
                                  static_cast<double>(now.reading.microjoules - from_->reading.microjoules);
    }
    from_ = now;
}

void PowerControl::update() {
    roofline_.update(core_.state);
    const LayoutState& layout = core_.state.layout;
    const Status& status = core_.state.status;
    auto& monitor = monitors_[static_cast<std::size_t>(status.engine.config.backend)];
    if (!monitor) {
        const bool open = (layout.panels && layout.panel == "history") || is_detached(layout.detached, "history");
        if (!open || !core_.state.scene.ready) return;
        monitor = std::make_unique<EnergyCounterMonitor>(
            [backend = status.engine.config.backend] { return open_energy_counter(backend); }, std::chrono::seconds{1});
    }
    meter_.add(monitor->state(), status);
    core_.state.own.of<PowerState>() = meter_.state();
}

}  // namespace orrery
