// SPDX-License-Identifier: MIT
// Whole states: save, restore, continue as a scene, display in place of steps.
#include "core/bodies/interpolation.hpp"
#include "core/engines/menu.hpp"
#include "core/simulation/simulation.hpp"

namespace orrery {

Scene Simulation::present() const {
    Scene scene = settings();
    scene.bodies = system_->bodies();
    return scene;
}

Scene Simulation::settings() const {
    return {.id = scene_.id,
            .label = scene_.label,
            .bodies = {},
            .gravity = scene_.gravity,
            .dt = scene_.dt,
            .integrator = std::string{wanted_integrator_->id},
            .adaptive = scene_.adaptive,
            .encounters = scene_.encounters,
            .time = time_,
            .scale_factor = scene_.scale_factor,
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
            .gravity = scene_.gravity,
            .encounters = met_.ledger,
            .labels = labels_};
}

/// Tree engines remember the accelerations of their last evaluation, which belongs to another time.
void Simulation::forget_history() {
    if (!engine(engine_config_.engine, engine_config_.backend).has_tree()) return;
    system_ = make_body_system(engine_config_, system_->bodies(), Urgency::kNormal, ranks_);
    keeper_.restore(keeper_.kept(), *system_);
}

void Simulation::show(const Interpolation& way, double time, std::int64_t by) {
    ++motions_;
    system_->wait();
    if (InterpolationPower* const power = system_->interpolation())
        power->show(way, time);
    else
        system_->restore(way.at(time, engine_config_.precision));
    sweep_.known = false;
    evaluated_.reset();
    check_state_ = Check::kNone;
    stage_ = 0;
    steps_ += by;
    ++moment_;
    time_ = time;
    scene_.scale_factor = way.scale_factor(time);
    restart_forces();
    shown_ = true;
    color_forces_ = false;
}

void Simulation::restore(const Snapshot& snapshot) {
    ++motions_;
    system_->wait();
    evaluated_ = snapshot.engine == engine_config_ ? snapshot.evaluated : std::nullopt;
    if (const auto& labels = snapshot.labels ? snapshot.labels : first_labels_; labels != labels_)
        adopt_labels(labels, snapshot.bodies);
    else if (!evaluated_)
        forget_history();
    system_->restore(snapshot.bodies);
    sweep_.known = false;
    if (evaluated_) system_->restore_history(*evaluated_, snapshot.history_key);
    check_state_ = Check::kNone;
    stage_ = 0;
    steps_ = snapshot.steps;
    moment_ = snapshot.moment;
    if (snapshot.engine != engine_config_) keeper_.restart(moment_);
    keeper_.restore(snapshot.engine == engine_config_ ? snapshot.accuracy : keeper_.kept(), *system_);
    time_ = snapshot.time;
    for (std::uint64_t n = met_.ledger.count(); n > snapshot.encounters.count() && !met_.last.empty(); --n)
        met_.last.pop_back();
    met_.ledger = snapshot.encounters;
    restart_forces();
    forces_fresh_ = snapshot.forces_fresh && !integrator_->jerk && snapshot.engine == engine_config_ &&
                    snapshot.gravity == scene_.gravity;
}

}  // namespace orrery
