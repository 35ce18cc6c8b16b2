// SPDX-License-Identifier: MIT
#include "core/live/trail_monitor.hpp"

#include <algorithm>
#include <numeric>

#include "core/simulation/simulation.hpp"

namespace orrery {

void TrailMonitor::want(int every) {
    every_ = std::max(0, every);
    forget();
}

bool TrailMonitor::on(const Simulation& simulation) const {
    return every_ > 0 && simulation.system().count() <= kMostBodies;
}

void TrailMonitor::forget() {
    steps_.clear(), places_.clear();
    handed_ = 0;
    any_ = false;
    spacing_ = std::max(1, every_);
}

void TrailMonitor::stepped(Simulation& simulation, bool paced) {
    if (!on(simulation)) return;
    const std::int64_t step = simulation.now().steps;
    if (any_ && step <= last_) forget();  // time has run backward
    if (simulation.system().count() != bodies_) forget();
    bodies_ = simulation.system().count();
    if (any_ && !paced && step < last_ + spacing_) return;
    keep(simulation);
    last_ = step, any_ = true;
    if (places_.size() > (paced ? kMostPacedPlaces : kMostPlaces)) thin();
}

/// On a device, reads only positions and the inputs of cheap colours; other quantities use kPresentColor.
void TrailMonitor::keep(Simulation& simulation) {
    steps_.push_back(simulation.now().steps);
    if (simulation.engine_config().backend == Backend::kCpu) {
        simulation.fill(state_, true);
        places_.insert(places_.end(), state_.host.begin(), state_.host.end());
        return;
    }
    all_.resize(bodies_);
    std::iota(all_.begin(), all_.end(), 0u);
    const ColorBy by = simulation.forces().color().by;
    for (const BodySample& body : simulation.system().sample(all_)) {
        const Vec4d& x = body.position_mass;
        const double color = by == ColorBy::kSpeed          ? length(body.velocity)
                             : by == ColorBy::kAcceleration ? length(body.acceleration)
                             : by == ColorBy::kMass         ? x.w
                                                            : kPresentColor;
        places_.push_back({float(x.x), float(x.y), float(x.z), float(color)});
    }
}

void TrailMonitor::thin() {
    spacing_ *= 2;
    std::size_t kept = 0;
    for (std::size_t i = handed_ = 0; i < steps_.size(); i += 2, ++kept) {
        steps_[kept] = steps_[i];
        std::copy_n(places_.begin() + static_cast<std::ptrdiff_t>(i * bodies_), bodies_,
                    places_.begin() + static_cast<std::ptrdiff_t>(kept * bodies_));
    }
    steps_.resize(kept);
    places_.resize(kept * bodies_);
}

void TrailMonitor::fill(Frame& frame, bool taken) {
    if (taken && handed_ > 0) {
        const std::size_t gone = std::min(handed_, steps_.size());
        steps_.erase(steps_.begin(), steps_.begin() + static_cast<std::ptrdiff_t>(gone));
        places_.erase(places_.begin(), places_.begin() + static_cast<std::ptrdiff_t>(gone * bodies_));
        spacing_ = std::max(1, every_);
    }
    handed_ = steps_.size();
    frame.passed_steps = steps_;
    frame.passed = places_;
}

}  // namespace orrery
