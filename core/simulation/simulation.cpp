// SPDX-License-Identifier: MIT
#include "core/simulation/simulation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <utility>

#include "core/base/error.hpp"
#include "core/base/pool.hpp"
#include "core/bodies/representable.hpp"
#include "core/bodies/same_start.hpp"
#include "core/engines/menu.hpp"
#include "core/integrators/step_limit.hpp"
#include "core/physics/pair_laws.hpp"
#include "core/ranks/ranks.hpp"
#include "core/simulation/compatibility.hpp"

namespace orrery {
namespace {

using Clock = std::chrono::steady_clock;
double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

/// Assigns ids if encounters need them: indices change when bodies merge.
Scene with_ids(Scene scene) {
    if (!scene.encounters.on() || !scene.bodies.ids.empty()) return scene;
    scene.bodies.ids.resize(scene.bodies.size());
    std::iota(scene.bodies.ids.begin(), scene.bodies.ids.end(), std::uint64_t{0});
    return scene;
}

}  // namespace

Simulation::Simulation(Scene scene, const EngineConfig& engine, std::string_view integrator_id, Ranks* ranks)
    : ranks_{ranks},
      scene_{with_ids(std::move(scene))},
      masses_{relative_masses(scene_.bodies.position_mass)},
      words_{std::make_shared<const BodyMetadata>(metadata_of(scene_))},
      engine_config_{engine},
      integrator_{&integrator(integrator_id.empty() ? scene_.integrator : integrator_id)},
      wanted_integrator_{integrator_},
      system_{make_body_system(engine, scene_.bodies, Urgency::kNormal, ranks)},
      time_{scene_.time} {
    if (ranks_ && !ranks_->leader)
        require_same_numbers(*ranks_, std::array{scene_.time, scene_.dt, scene_.adaptive, scene_.gravity.constant,
                                                 scene_.gravity.softening, scene_.gravity.sigma, scene_.gravity.cut_off,
                                                 scene_.encounters.density, scene_.encounters.radius});
    require_adaptive(scene_.adaptive, scene_.bodies.size(), *integrator_);
    require_adaptive(scene_.adaptive, scene_.gravity.law);
    validate(scene_.encounters);
    require_power(*integrator_, engine_config_, scene_.gravity.law, scene_.encounters);
    if (scene_.encounters.on()) require_ids();
    const auto& bodies = scene_.bodies.position_mass;
    measure_radii(scene_.bodies, bodies.size(), [&](std::size_t i) { return bodies[i].w; });
    find_pinned();
    require_representable(scene_.bodies, scene_.gravity, engine_config_);
    system_->begin_forces(scene_.gravity, Potential::kSkip);  // lets an engine reject these bodies now
}

Simulation::Simulation(Simulation&&) noexcept = default;
Simulation& Simulation::operator=(Simulation&&) noexcept = default;
Simulation::~Simulation() = default;

/// Between two steps. Forces evaluated without jerks are discarded when the new integrator needs jerks.
void Simulation::adopt_integrator() {
    if (integrator_->jerk != wanted_integrator_->jerk) restart_forces();
    if (integrator_ != wanted_integrator_) step_seconds_ = 0;
    integrator_ = wanted_integrator_;
}

void Simulation::begin_step() {
    ++motions_;
    adopt_integrator();
    begin_sweep();
    save_pinned();
    step_dt_ = scene_.dt;
    if (scene_.adaptive > 0 && !integrator_->individual)
        step_dt_ = std::min(step_dt_, step_limit(system_->bodies(), scene_.gravity, scene_.adaptive));
    if (time_ + step_dt_ == time_ && step_dt_ == scene_.dt)
        environment_error(fmt::format(
            "the step dt = {:.3g} is too short to change the time {:.9g}; use a larger dt, or start at time 0",
            step_dt_, time_));
    if (time_ + step_dt_ == time_)
        environment_error(fmt::format(
            "the step of {:.3g} no longer changes the time {:.9g}: two bodies are too close; a softening, or a "
            "smaller adaptive limit from the start, may help",
            step_dt_, time_));
    if (reversed_) step_dt_ = -step_dt_;
}

/// Consecutive moves are applied in a single pass over the bodies if the system supports that.
void Simulation::move(std::vector<Move>& moves) {
    if (!moves.empty()) system_->move(moves);
    moves.clear();
}

/// Works for about `budget`, never beyond the end of a step. Returns whether the step was completed.
bool Simulation::advance_slice(std::chrono::duration<double> budget) {
    const auto start = Clock::now();
    check_state_ = Check::kNone;
    if (stage_ == 0) begin_step();
    const auto& stages = integrator_->stages;
    if (stage_ == 0 && begins_with_forces() && !forces_fresh_)
        if (!advance_forces(budget)) return false;
    const auto left = [&] { return budget - std::chrono::duration<double>(seconds_since(start)); };
    std::vector<Move> moves;
    for (; stage_ < stages.size(); ++stage_) {
        const Stage& stage = stages[stage_];
        switch (stage.op) {
            case Stage::Op::kKick:
                moves.push_back({Move::Op::kKick, stage.fraction * step_dt_});
                break;
            case Stage::Op::kDrift:
                moves.push_back({Move::Op::kDrift, stage.fraction * step_dt_});
                forces_fresh_ = false;
                break;
            case Stage::Op::kForce:
                move(moves);
                if (!force_stage(left())) return false;
                break;
            case Stage::Op::kBegin:
                require_steps(*system_).begin_steps(
                    {integrator_->jerk, step_dt_, block_eta(), scene_.gravity.softening});
                break;
            case Stage::Op::kPredict:
                predict();
                break;
            case Stage::Op::kForceDue:
                if (!force_due(left())) return false;
                break;
            case Stage::Op::kCorrect:
                require_steps(*system_).correct();
                forces_fresh_ = arrived_ && !integrator_->jerk;  // Hermite schemes move the bodies once more
                break;
            case Stage::Op::kRepeat:
                if (arrived_) break;
                stage_ = 0;  // incremented to kPredict below
                if (left().count() > 0) break;
                ++stage_;  // limit the slice: there may be millions of short steps
                return false;
        }
    }
    if (system_->step_queue() && integrator_->splits()) {
        begin_checks();
        moves.push_back({Move::Op::kStepEnd});
    }
    move(moves);
    stage_ = 0;
    count_steps(1);
    const auto evaluations = std::ranges::count(stages, Stage::Op::kForce, &Stage::op);
    step_seconds_ = static_cast<double>(evaluations) * last_force_seconds_;
    restore_pinned();
    resolve_encounters();
    return true;
}

void Simulation::predict() {
    const DueBodies due = require_steps(*system_).predict();
    due_ = due.count, arrived_ = due.at_end;
    forces_fresh_ = false;
    if (integrator_->jerk || due.finest <= kFinestLeapfrog) return;
    abandon_step();
    environment_error(fmt::format(
        "{}: at time {:.9g} a body needs a step shorter than dt/2^{}: two bodies are too close; a softening, a "
        "larger adaptive limit or a smaller dt may help",
        scene_.id, time_, kFinestLeapfrog));
}

std::vector<std::size_t> Simulation::ladder() {
    return integrator_->individual ? require_steps(*system_).ladder() : std::vector<std::size_t>{};
}

bool Simulation::force_due(std::chrono::duration<double> budget) {
    if (arrived_ && !integrator_->jerk) return force_stage(budget);
    return advance_forces(budget, true);
}

/// Measure only after a step's last evaluation; the number of evaluations before the first step depends on what is
/// displayed.
bool Simulation::force_stage(std::chrono::duration<double> budget) {
    const auto start = Clock::now();
    if (!keeper_.under_way()) {
        if (!advance_forces(budget)) return false;
        const auto rest = integrator_->stages.subspan(stage_ + 1);
        if (!keeper_.due(*system_, moment_) || std::ranges::count(rest, Stage::Op::kForce, &Stage::op) > 0) return true;
    }
    const auto left = budget - std::chrono::duration<double>(seconds_since(start));
    return keeper_.work(*system_, scene_.gravity, moment_, left, ranks_ && !ranks_->leader ? ranks_ : nullptr);
}

bool Simulation::evaluate(std::chrono::duration<double> budget) { return forces_fresh_ || advance_forces(budget); }

bool Simulation::begins_with_forces() const {
    const Stage::Op first = integrator_->stages.front().op;
    return first == Stage::Op::kKick || first == Stage::Op::kBegin;
}

double Simulation::block_eta() const {
    if (!integrator_->individual) return 0;
    return scene_.adaptive > 0 ? scene_.adaptive : kBlockEta;
}

std::uint64_t Simulation::begin_forces(bool due) {
    body_forces_ += due ? due_ : system_->count();
    if (integrator_->jerk) return require_steps(*system_).begin_jerk_forces(scene_.gravity, due);
    return due && due_ < system_->count() ? require_steps(*system_).begin_due_forces(scene_.gravity, wanted())
                                          : system_->begin_forces(scene_.gravity, wanted());
}

bool Simulation::advance_forces(std::chrono::duration<double> budget, bool due) {
    const auto start = Clock::now();
    if (items_ == 0) {
        if (std::exchange(shown_, false)) forget_history();
        system_->clock().start();
        evaluated_.reset();
        items_ = begin_forces(due);
        force_seconds_ = system_->clock().stop();
        next_item_ = 0;
    }
    const std::uint64_t before = next_item_;  // makes progress with any budget
    // The first slice is a single item, to measure the rate; later slices fill the budget.
    while (next_item_ < items_) {
        const double left = budget.count() - seconds_since(start);
        const double fit = items_per_second_ * std::clamp(left, 0.0, 3600.0);
        if (next_item_ > before && left <= 0) break;
        const auto slice = static_cast<std::uint64_t>(std::clamp(fit, 1.0, static_cast<double>(items_ - next_item_)));
        system_->clock().start();
        system_->run_forces(next_item_, next_item_ + slice);
        const double took = std::max(system_->clock().stop(), 1e-9);
        next_item_ += slice;
        force_seconds_ += took;
        items_per_second_ = static_cast<double>(slice) / took;
    }
    if (next_item_ < items_) return false;
    if (!due) last_force_seconds_ = force_seconds_;
    restart_forces();
    forces_fresh_ = true;
    color_forces_ = color_forces_ || !due || integrator_->jerk;
    evaluated_ = scene_.gravity;
    return true;
}

void Simulation::restart_forces() {
    keeper_.abandon();
    items_ = next_item_ = 0;
    forces_fresh_ = false;
}

/// Within a step, bodies with individual steps are at different times, so the step cannot be continued.
void Simulation::abandon_step() {
    if (stage_ == 0 || integrator_->splits()) return;
    require_steps(*system_).abandon_steps();
    stage_ = 0;
    restart_forces();
    adopt_integrator();
}

void Simulation::set_engine(const EngineConfig& config) {
    require_power(*wanted_integrator_, config, scene_.gravity.law, scene_.encounters);
    system_->wait();
    abandon_step();
    const Bodies bodies = system_->bodies();
    require_representable(bodies, scene_.gravity, config);
    std::shared_ptr<BodySystem> system = make_body_system(config, bodies, Urgency::kNormal, ranks_);
    system->begin_forces(scene_.gravity, Potential::kSkip);  // lets the engine reject these bodies now
    system_ = std::move(system);
    if (config != engine_config_) keeper_.restart(moment_);
    keeper_.restore(keeper_.kept(), *system_);
    engine_config_ = config;
    items_per_second_ = step_seconds_ = 0;
    queued_ = 1;
    sweep_.known = false;
    check_state_ = Check::kNone;
    color_forces_ = false;
    evaluated_.reset();
    restart_forces();
}

void Simulation::set_gravity(const Gravity& gravity) {
    validate(gravity);
    require_adaptive(scene_.adaptive, gravity.law);
    require_power(*wanted_integrator_, engine_config_, gravity.law, scene_.encounters);
    abandon_step();
    restart_forces();
    system_->wait();
    if (gravity.law != scene_.gravity.law) system_->begin_forces(gravity, Potential::kSkip);  // may be rejected now
    scene_.gravity = gravity;
    keeper_.measure_soon(moment_);
}

void Simulation::set_dt(double dt) {
    if (!(dt > 0) || !std::isfinite(dt)) usage_error(fmt::format("time step {}: must be positive", dt));
    scene_.dt = dt;
}

void Simulation::set_integrator(std::string_view id) { set_integrator(id, scene_.adaptive); }

void Simulation::set_integrator(std::string_view id, double adaptive) {
    const IntegratorEntry& entry = integrator(id);
    require_power(entry, engine_config_, scene_.gravity.law, scene_.encounters);
    require_adaptive(adaptive, system_->count(), entry);
    require_adaptive(adaptive, scene_.gravity.law);
    wanted_integrator_ = &entry;
    scene_.adaptive = adaptive;
    if (stage_ == 0) adopt_integrator();
}

void Simulation::set_adaptive(double eta) { set_integrator(wanted_integrator_->id, eta); }

double Simulation::force_progress() const {
    return items_ == 0 ? 0 : static_cast<double>(next_item_) / static_cast<double>(items_);
}

void Simulation::set_color_by(ColorBy by) {
    const Potential before = wanted();
    color_by_ = by;
    if (wanted() == before) return;
    if (by == ColorBy::kPotential) color_forces_ = false;
    restart_forces();  // an evaluation in progress would yield only some of the potentials
}

void Simulation::fill(Frame& frame, bool may_reuse) {
    system_->fill(frame, {.by = color_by_, .forces = color_forces_, .may_reuse = may_reuse, .along = sight_line_});
    frame.masses = masses_;
    frame.lights = false, frame.all_bodies = 0;
    frame.blocks = nullptr;
    frame.radii = radii_;
    frame.words = words_;
    frame.step = steps_;
    frame.time = time_, frame.scale_factor = scene_.scale_factor;
}

}  // namespace orrery
