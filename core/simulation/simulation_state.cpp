// SPDX-License-Identifier: MIT
// Whole states: kept, restored, continued as a scene, and shown in place of steps.
#include "core/engines/menu.hpp"
#include "core/simulation/simulation.hpp"

namespace orrery {

Scene Simulation::present() const {
    return {.id = scene_.id,
            .label = scene_.label,
            .bodies = system_->bodies(),
            .gravity = scene_.gravity,
            .dt = scene_.dt,
            .integrator = std::string{wanted_integrator_->id},
            .adaptive = scene_.adaptive,
            .time = time_,
            .days_per_time = scene_.days_per_time,
            .length_unit = scene_.length_unit,
            .mass_unit = scene_.mass_unit,
            .steps_per_frame = scene_.steps_per_frame,
            .notes = {}};
}

Snapshot Simulation::snapshot_with(BodyState bodies) const {
    return {.bodies = std::move(bodies),
            .steps = steps_,
            .moment = moment_,
            .time = time_,
            .forces_fresh = forces_fresh_,
            .evaluated = evaluated_,
            .history_key = system_->history_key(),
            .accuracy = keeper_.kept(),
            .engine = engine_config_,
            .gravity = scene_.gravity};
}

/// A tree remembers accelerations of its last evaluation, which would be those of another time.
void Simulation::forget_history() {
    if (!engine(engine_config_.engine, engine_config_.backend).has_tree()) return;
    system_ = make_body_system(engine_config_, system_->bodies(), Urgency::kUsual, ranks_);
    keeper_.restore(keeper_.kept(), *system_);
}

void Simulation::show(const BodyState& bodies, double time, std::int64_t by) {
    system_->wait();
    system_->restore(bodies);
    evaluated_.reset();
    looked_ = Looked::kNo;
    stage_ = 0;
    steps_ += by;
    ++moment_;
    time_ = time;
    restart_forces();
    shown_ = true;
    color_forces_ = false;
}

void Simulation::restore(const Snapshot& snapshot) {
    system_->wait();
    evaluated_ = snapshot.engine == engine_config_ ? snapshot.evaluated : std::nullopt;
    if (!evaluated_) forget_history();
    system_->restore(snapshot.bodies);
    if (evaluated_) system_->restore_history(*evaluated_, snapshot.history_key);
    looked_ = Looked::kNo;
    stage_ = 0;
    steps_ = snapshot.steps;
    moment_ = snapshot.moment;
    if (snapshot.engine != engine_config_) keeper_.restart(moment_);
    keeper_.restore(snapshot.engine == engine_config_ ? snapshot.accuracy : keeper_.kept(), *system_);
    time_ = snapshot.time;
    restart_forces();
    forces_fresh_ = snapshot.forces_fresh && !integrator_->jerk && snapshot.engine == engine_config_ &&
                    snapshot.gravity == scene_.gravity;
}

}  // namespace orrery
