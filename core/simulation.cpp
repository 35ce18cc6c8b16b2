// SPDX-License-Identifier: MIT
#include "core/simulation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/base/error.hpp"
#include "core/integrators/step_limit.hpp"

namespace orrery {
namespace {

using Clock = std::chrono::steady_clock;
double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

std::shared_ptr<const std::vector<float>> relative_masses(const std::vector<Vec4d>& bodies) {
    double sum = 0;
    bool equal = true;
    for (const Vec4d& body : bodies) sum += body.w, equal = equal && body.w == bodies.front().w;
    if (equal) return nullptr;
    auto masses = std::make_shared<std::vector<float>>();
    masses->reserve(bodies.size());
    const double mean = sum / static_cast<double>(bodies.size());
    for (const Vec4d& body : bodies) masses->push_back(static_cast<float>(body.w / mean));
    return masses;
}

}  // namespace

Simulation::Simulation(Scene scene, const EngineConfig& engine, std::string_view integrator_id)
    : scene_{std::move(scene)},
      masses_{relative_masses(scene_.bodies.position_mass)},
      words_{std::make_shared<const SceneWords>(words_of(scene_))},
      engine_config_{engine},
      integrator_{&integrator(integrator_id.empty() ? scene_.integrator : integrator_id)},
      wanted_integrator_{integrator_},
      system_{make_body_system(engine, scene_.bodies)},
      time_{scene_.time} {
    require_adaptive(scene_.adaptive, scene_.bodies.size());
    system_->begin_forces(scene_.gravity, Potential::kSkip);  // an engine that refuses these bodies says so now
}

void Simulation::step() {
    while (!advance(std::chrono::hours{1})) {
    }
    if (const auto body = system_->first_not_finite())
        environment_error(
            fmt::format("{}: body {} is no longer finite after step {} (time {:g}); a smaller dt or a larger "
                        "softening may help",
                        scene_.id, *body, steps_, time_));
}

void Simulation::begin_step() {
    integrator_ = wanted_integrator_;
    step_dt_ = scene_.dt;
    if (scene_.adaptive > 0)
        step_dt_ = std::min(step_dt_, step_limit(system_->bodies(), scene_.gravity, scene_.adaptive));
    if (reversed_) step_dt_ = -step_dt_;
}

bool Simulation::advance(std::chrono::duration<double> budget) {
    const auto start = Clock::now();
    if (stage_ == 0) begin_step();
    const auto& stages = integrator_->stages;
    if (stage_ == 0 && stages.front().op == Stage::Op::kKick && !forces_fresh_)
        if (!advance_forces(budget)) return false;
    for (; stage_ < stages.size(); ++stage_) {
        const Stage& stage = stages[stage_];
        switch (stage.op) {
            case Stage::Op::kKick:
                system_->kick(stage.fraction * step_dt_);
                break;
            case Stage::Op::kDrift:
                system_->drift(stage.fraction * step_dt_);
                forces_fresh_ = false;
                break;
            case Stage::Op::kForce:
                if (!advance_forces(budget - std::chrono::duration<double>(seconds_since(start)))) return false;
                break;
        }
    }
    stage_ = 0;
    steps_ += step_dt_ < 0 ? -1 : 1;
    ++moment_;
    time_ += step_dt_;
    return true;
}

bool Simulation::evaluate(std::chrono::duration<double> budget) { return forces_fresh_ || advance_forces(budget); }

bool Simulation::advance_forces(std::chrono::duration<double> budget) {
    const auto start = Clock::now();
    if (items_ == 0) {
        system_->start_clock();
        evaluated_.reset();
        items_ = system_->begin_forces(scene_.gravity, wanted());
        force_seconds_ = system_->stop_clock();
        next_item_ = 0;
    }
    // Until the rate is known, one item shows it; afterwards a slice is what the budget holds.
    while (next_item_ < items_) {
        const double left = budget.count() - seconds_since(start);
        const double fit = items_per_second_ * std::clamp(left, 0.0, 3600.0);
        if (next_item_ > 0 && left <= 0) break;
        const auto slice = static_cast<std::uint64_t>(std::clamp(fit, 1.0, static_cast<double>(items_ - next_item_)));
        system_->start_clock();
        system_->run_forces(next_item_, next_item_ + slice);
        const double took = std::max(system_->stop_clock(), 1e-9);
        next_item_ += slice;
        force_seconds_ += took;
        items_per_second_ = static_cast<double>(slice) / took;
    }
    if (next_item_ < items_) return false;
    last_force_seconds_ = force_seconds_;
    restart_forces();
    forces_fresh_ = color_forces_ = true;
    evaluated_ = scene_.gravity;
    return true;
}

void Simulation::restart_forces() {
    items_ = next_item_ = 0;
    forces_fresh_ = false;
}

void Simulation::set_engine(const EngineConfig& config) {
    system_->wait();
    auto system = make_body_system(config, system_->bodies());
    system->begin_forces(scene_.gravity, Potential::kSkip);  // an engine that refuses these bodies says so now
    system_ = std::move(system);
    engine_config_ = config;
    items_per_second_ = 0;
    color_forces_ = false;
    evaluated_.reset();
    restart_forces();
}

void Simulation::set_gravity(const Gravity& gravity) {
    if (!(gravity.softening >= 0) || !std::isfinite(gravity.softening))
        usage_error(fmt::format("softening {}: must be a length of 0 or more", gravity.softening));
    scene_.gravity = gravity;
    restart_forces();
}

void Simulation::set_dt(double dt) {
    if (!(dt > 0) || !std::isfinite(dt)) usage_error(fmt::format("time step {}: must be positive", dt));
    scene_.dt = dt;
}

void Simulation::set_integrator(std::string_view id) { wanted_integrator_ = &integrator(id); }

void Simulation::set_adaptive(double eta) {
    require_adaptive(eta, system_->count());
    scene_.adaptive = eta;
}

double Simulation::force_progress() const {
    return items_ == 0 ? 0 : static_cast<double>(next_item_) / static_cast<double>(items_);
}

void Simulation::set_color_by(ColorBy by) {
    const Potential before = wanted();
    color_by_ = by;
    if (wanted() == before) return;
    if (by == ColorBy::kPotential) color_forces_ = false;
    restart_forces();  // one under way would end with half of the potentials
}

void Simulation::fill(Frame& frame, bool may_reuse) {
    system_->fill(frame, {.by = color_by_, .forces = color_forces_, .may_reuse = may_reuse});
    frame.masses = masses_;
    frame.words = words_;
    frame.step = steps_;
    frame.time = time_;
}

Snapshot Simulation::snapshot() const {
    return {.bodies = system_->save(),
            .steps = steps_,
            .moment = moment_,
            .time = time_,
            .forces_fresh = forces_fresh_,
            .evaluated = evaluated_,
            .engine = engine_config_,
            .gravity = scene_.gravity};
}

void Simulation::restore(const Snapshot& snapshot) {
    system_->wait();
    evaluated_ = snapshot.engine == engine_config_ ? snapshot.evaluated : std::nullopt;
    // A tree remembers accelerations of its last evaluation, which would be those of another time.
    if (!evaluated_ && engine(engine_config_.engine, engine_config_.backend).tree)
        system_ = make_body_system(engine_config_, system_->bodies());
    system_->restore(snapshot.bodies);
    if (evaluated_) system_->recall(*evaluated_);
    stage_ = 0;
    steps_ = snapshot.steps;
    moment_ = snapshot.moment;
    time_ = snapshot.time;
    restart_forces();
    const Gravity &then = snapshot.gravity, &now = scene_.gravity;
    forces_fresh_ = snapshot.forces_fresh && snapshot.engine == engine_config_ && then.constant == now.constant &&
                    then.softening == now.softening;
}

}  // namespace orrery
