// SPDX-License-Identifier: MIT
#include "core/simulation/simulation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <stdexcept>
#include <utility>

#include "core/base/error.hpp"
#include "core/base/pool.hpp"
#include "core/bodies/body_errors.hpp"
#include "core/bodies/body_reader.hpp"
#include "core/bodies/body_source.hpp"
#include "core/bodies/distributed_body_system.hpp"
#include "core/bodies/interpolation.hpp"
#include "core/bodies/optics.hpp"
#include "core/bodies/owned/part_rows.hpp"
#include "core/bodies/representable.hpp"
#include "core/bodies/sampling.hpp"
#include "core/engines/menu.hpp"
#include "core/integrators/integrators.hpp"
#include "core/physics/pair_law.hpp"
#include "core/ranks/ranks.hpp"
#include "core/simulation/compatibility.hpp"
#include "core/simulation/edit.hpp"

namespace orrery {
namespace {

using Clock = std::chrono::steady_clock;

/// Ids by index if there are none: indices change when bodies merge, ids identify the bodies.
void number(std::vector<std::uint64_t>& ids, std::size_t count) {
    if (!ids.empty()) return;
    ids.resize(count);
    std::iota(ids.begin(), ids.end(), std::uint64_t{0});
}
/// The scene's settings; leaves its bodies in place, with ids if encounters need them.
Scene without_bodies(Scene& scene) {
    if (scene.encounters.on()) number(scene.bodies.ids, scene.bodies.size());
    Bodies bodies = std::exchange(scene.bodies, {});
    Scene settings = std::move(scene);
    scene.bodies = std::move(bodies);
    return settings;
}

auto masses_of(const Bodies& bodies) {
    return [&bodies](std::size_t i) { return bodies.position_mass[i].w; };
}

double block_eta(const IntegratorEntry& integrator, double adaptive) {
    if (!integrator.individual) return 0;
    return adaptive > 0 ? adaptive : kBlockEta;
}

/// Calls use(reader) with the bodies of a system, in its precision if possible.
template <class Use>
auto with_reader(const BodySystem& system, const Use& use) {
    const auto columns = system.host_columns();
    if (!columns) {
        const Bodies bodies = system.bodies();
        return use(BodyReader{bodies});
    }
    const auto in = [&]<class Real>(Real) {
        return use(BodyReader{static_cast<const Vec4<Real>*>(columns->position_mass),
                              static_cast<const Vec4<Real>*>(columns->velocity), columns->count, system.labels()});
    };
    return columns->precision == Precision::kSingle ? in(0.0f) : in(0.0);
}

/// Masses in order; those just edited have their values before rounding.
class Masses {
public:
    Masses(const BodyReader& bodies, const BodyChange* given) : bodies_{bodies}, given_{given} {
        if (given_ && given_->after.position_mass.empty()) given_ = nullptr;
    }
    double operator()(std::size_t i) {
        if (!given_ || next_ == given_->rows.size() || given_->rows[next_] != i) return bodies_.mass(i);
        return given_->after.position_mass[next_++].w;
    }

private:
    const BodyReader& bodies_;
    const BodyChange* given_;
    std::size_t next_ = 0;
};

/// Completes the frame of a part of `count` bodies: what it states of all bodies is that of all ranks. `mean_mass`: of
/// the bodies with which this rank began. Labels of single bodies would be those of the same bodies, so there are none.
void show_part(Frame& frame, const PartPower& part, std::size_t count, const Scene& scene, double mean_mass) {
    frame.all_bodies = count;
    frame.masses = nullptr, frame.radii = nullptr;
    auto words = std::make_shared<BodyMetadata>();
    words->length_unit = scene.length_unit, words->mass_unit = scene.mass_unit;
    words->days_per_time = scene.days_per_time;
    const std::vector<double> means = from_all(part.ranks(), mean_mass);
    for (std::size_t r = 0; r < means.size(); ++r)
        words->mean_mass += means[r] * static_cast<double>(part_of(count, r, means.size()).count()) / double(count);
    frame.words = std::move(words);
}

/// The engine to begin with. A system that leads other ranks cannot exchange it later.
EngineConfig engine_to_begin_with(const EngineConfig& asked, std::size_t bodies, PairLaw law, const Ranks* ranks) {
    if (ranks && ranks->leader) return asked;
    return EngineTuning::first_engine(asked, bodies, law, ranks).value_or(asked);
}

}  // namespace

Simulation::Simulation(Scene scene, const EngineConfig& engine, std::string_view integrator_id, Ranks* ranks)
    : Simulation{without_bodies(scene), BodiesInMemory{scene.bodies}, engine, integrator_id, ranks} {}

Simulation::Simulation(Scene settings, const BodySource& bodies, const EngineConfig& engine,
                       std::string_view integrator_id, Ranks* ranks)
    : scene_{std::move(settings)},
      engine_config_{engine},
      integrator_{&integrator(integrator_id.empty() ? scene_.integrator : integrator_id)},
      clock_{.time = scene_.time},
      forces_{ranks},
      tuning_{ranks} {
    const std::size_t count = bodies.size();
    const MeasuredSource measured{bodies, kMeasuredSample};
    system_ = make_body_system(engine_to_begin_with(engine, count, scene_.gravity.law, ranks), measured,
                               Urgency::kNormal, ranks);
    tuning_.restart(engine, count, scene_.gravity.law);
    if (ranks && !ranks->leader)
        require_same_numbers(*ranks, std::array{scene_.time, scene_.dt, scene_.adaptive, scene_.gravity.constant,
                                                scene_.gravity.softening, scene_.gravity.sigma, scene_.gravity.cut_off,
                                                scene_.encounters.density, scene_.encounters.radius});
    scene_.integrator = integrator_->id;
    require_adaptive(scene_.adaptive, count, *integrator_);
    require_adaptive(scene_.adaptive, scene_.gravity.law);
    validate(scene_.encounters);
    require_power(*integrator_, engine_config_, scene_.gravity.law, scene_.encounters);
    if (scene_.encounters.on()) require_ids();
    encounters_.describe(scene_, bodies.labels(), count, MassReader{bodies});
    require_representable(measured, scene_.gravity, engine_config_);
    system_->begin_forces(scene_.gravity, Potential::kSkip);  // lets an engine reject these bodies now
}

Simulation::Simulation(Continuation state, const EngineConfig& engine, Ranks* ranks)
    : Simulation{std::move(state.settings), engine, {}, ranks} {
    clock_.steps = state.steps;
    encounters_.restore(state.encounters);
}

/// Between two steps. Forces evaluated without jerks are discarded when the new integrator needs jerks.
void Simulation::adopt_integrator() {
    const IntegratorEntry& wanted = integrator(scene_.integrator);
    if (integrator_->jerk != wanted.jerk) forces_.restart();
    if (integrator_ != &wanted) queue_.set_step_seconds(0);
    integrator_ = &wanted;
}

void Simulation::begin_step() {
    ++clock_.motions;
    adopt_integrator();
    encounters_.begin(*system_, scene_.encounters, clock_);
    double dt = scene_.dt;
    if (scene_.adaptive > 0 && !integrator_->individual)
        dt = std::min(dt, step_limit(system_->bodies(), scene_.gravity, scene_.adaptive));
    clock_.dt = dt;
    if (clock_.time + dt == clock_.time && dt == scene_.dt)
        environment_error(fmt::format(
            "the step dt = {:.3g} is too short to change the time {:.9g}; use a larger dt, or start at time 0", dt,
            clock_.time));
    if (clock_.time + dt == clock_.time)
        environment_error(fmt::format(
            "the step of {:.3g} no longer changes the time {:.9g}: two bodies are too close; a softening, or a "
            "smaller adaptive limit from the start, may help",
            dt, clock_.time));
    if (clock_.reversed) clock_.dt = -dt;
}

std::uint64_t Simulation::advance(std::chrono::duration<double> budget, std::uint64_t most) {
    if (!tune(budget)) return 0;
    const std::uint64_t steps = steps_to_queue(budget.count(), most);
    return steps > 0 ? queue_steps(steps) : advance_slice(budget) ? 1 : 0;
}

std::uint64_t Simulation::take_steps(std::chrono::duration<double> budget, std::uint64_t most) {
    while (!tune(std::chrono::hours{1})) {
    }
    const std::uint64_t steps = steps_to_queue(budget.count(), most);
    std::uint64_t taken = steps > 0 ? queue_steps(steps) : 0;
    while (taken == 0 && !(knows_lost() && lost())) taken = advance(std::chrono::hours{1});
    if (const auto gone = lost())
        environment_error(
            fmt::format("{}: body {} is no longer finite after step {} (time {:g}); a smaller dt or a larger "
                        "softening may help",
                        scene_.id, gone->body, gone->step, gone->time));
    return taken;
}

/// 0: take steps in slices.
std::uint64_t Simulation::steps_to_queue(double budget, std::uint64_t most) const {
    if (!system_->step_queue() || !integrator(scene_.integrator).splits() || scene_.adaptive > 0) return 0;
    if (scene_.encounters.on() || encounters_.pins()) return 0;  // each step must be processed individually
    if (within_step() || forces_.under_way()) return 0;
    most = tuning_.steps_left(clock_.moment, most);
    if (system_->accuracy_to_keep() > 0) {  // steps that measure are taken in slices
        if (forces_.accuracy().due(*system_, clock_.moment)) return 0;
        most = std::min(most, forces_.accuracy().kept().next - clock_.moment);
    }
    return queue_.fitting(budget, most);
}

std::uint64_t Simulation::queue_steps(std::uint64_t steps) {
    begin_step();
    return queue_.take({steps, integrator_->stages, task()}, forces_, clock_);
}

/// Consecutive moves are applied in a single pass over the bodies if the system supports that.
void Simulation::move(std::vector<Move>& moves) {
    if (!moves.empty()) system_->move(moves);
    moves.clear();
}

/// Works for about `budget`, never beyond the end of a step. Returns whether the step was completed.
bool Simulation::advance_slice(std::chrono::duration<double> budget) {
    const auto start = Clock::now();
    queue_.drop_checks();
    if (!within_step()) {
        begin_step();
        if (starts_with_forces(integrator_->stages) && !evaluate(budget)) return false;
    }
    const auto left = [&] { return budget - std::chrono::duration<double>(Clock::now() - start); };
    std::vector<Move> moves;
    for (; clock_.stage < integrator_->stages.size(); ++clock_.stage)
        if (!run_stage(integrator_->stages[clock_.stage], moves, left)) return false;
    end_step(moves);
    return true;
}

/// Returns false if the budget is spent.
template <class Left>
bool Simulation::run_stage(const Stage& stage, std::vector<Move>& moves, const Left& left) {
    switch (stage.op) {
        case Stage::Op::kKick:
            moves.push_back({Move::Op::kKick, stage.fraction * clock_.dt});
            return true;
        case Stage::Op::kDrift:
            moves.push_back({Move::Op::kDrift, stage.fraction * clock_.dt});
            forces_.set_fresh(false);
            return true;
        case Stage::Op::kForce:
            move(moves);
            return force_stage(left());
        case Stage::Op::kBegin:
            require_steps(*system_).begin_steps(
                {integrator_->jerk, clock_.dt, block_eta(*integrator_, scene_.adaptive), scene_.gravity.softening});
            return true;
        case Stage::Op::kPredict:
            predict();
            return true;
        case Stage::Op::kForceDue:
            return arrived_ && !integrator_->jerk ? force_stage(left()) : forces_.work(task(due_), left());
        case Stage::Op::kCorrect:
            require_steps(*system_).correct();
            forces_.set_fresh(arrived_ && !integrator_->jerk);  // Hermite schemes move the bodies once more
            return true;
        case Stage::Op::kRepeat:
            if (arrived_) return true;
            clock_.stage = 0;  // incremented to kPredict
            if (left().count() > 0) return true;
            ++clock_.stage;  // limit the slice: there may be millions of short steps
            return false;
    }
    return true;
}

void Simulation::end_step(std::vector<Move>& moves) {
    if (system_->step_queue() && integrator_->splits()) {
        queue_.begin_checks(*system_, clock_);
        moves.push_back({Move::Op::kStepEnd});
    }
    move(moves);
    clock_.stage = 0;
    clock_.count(1);
    const auto evaluations = std::ranges::count(integrator_->stages, Stage::Op::kForce, &Stage::op);
    queue_.set_step_seconds(static_cast<double>(evaluations) * forces_.last_seconds());
    encounters_.restore_pinned(*system_);
    resolve_encounters();
}

void Simulation::predict() {
    const DueBodies due = require_steps(*system_).predict();
    due_ = due.count, arrived_ = due.at_end;
    forces_.set_fresh(false);
    if (integrator_->jerk || due.finest <= kFinestLeapfrog) return;
    abandon_step();
    environment_error(fmt::format(
        "{}: at time {:.9g} a body needs a step shorter than dt/2^{}: two bodies are too close; a softening, a "
        "larger adaptive limit or a smaller dt may help",
        scene_.id, clock_.time, kFinestLeapfrog));
}

/// Measure only after a step's last evaluation; the number of evaluations before the first step depends on what is
/// displayed.
bool Simulation::force_stage(std::chrono::duration<double> budget) {
    const auto rest = integrator_->stages.subspan(clock_.stage + 1);
    const bool last = std::ranges::count(rest, Stage::Op::kForce, &Stage::op) == 0;
    return last ? forces_.work_and_measure(task(), clock_.moment, budget) : forces_.work(task(), budget);
}

bool Simulation::evaluate(std::chrono::duration<double> budget) {
    end_trial();
    return forces_.fresh() || forces_.work(task(), budget);
}

/// Within a step, bodies with individual steps are at different times, so the step cannot be continued.
void Simulation::abandon_step() {
    if (!within_step() || integrator_->splits()) return;
    require_steps(*system_).abandon_steps();
    clock_.stage = 0;
    forces_.restart();
    adopt_integrator();
}

/// Between two steps: tries engines for about `budget`, while their share of the time allows. Returns false within a
/// trial.
bool Simulation::tune(std::chrono::duration<double> budget, bool at_once) {
    if (within_step() || forces_.under_way() || !integrator_->splits()) return true;
    const auto start = Clock::now();
    const auto left = [&] { return budget - std::chrono::duration<double>(Clock::now() - start); };
    if (forces_.ranks()) budget = std::chrono::hours{1};  // all ranks must do the same
    while (left().count() > 0) {
        if (const EngineConfig* choice = tuning_.pending(clock_.moment)) {
            use_engine(*choice);
            tuning_.chosen_at(clock_.moment);
        }
        if (!tuning_.under_way()) {
            const Gravity& gravity = scene_.gravity;
            if (!tuning_.due(engine_config_, system_->count(), gravity.law, forces_, at_once)) return true;
            system_->wait();
            if (!tuning_.begin(*system_, snapshot())) return true;
        }
        if (!tuning_.work(*system_, scene_.gravity, left())) return false;
        end_trial();
    }
    return true;
}

/// Restores the engine in force, and the state before the trial under way.
void Simulation::end_trial() {
    if (!tuning_.under_way()) return;
    const Snapshot before = tuning_.end();
    system_->exchange_engine(used_engine());
    system_->restore(before.bodies);
    if (before.evaluated) system_->restore_history(*before.evaluated, before.history_key);
    system_->scale_acceptance(before.accuracy.acceptance.factor);
}

/// Replaces the engine in place. Its criterion begins unscaled.
void Simulation::use_engine(const EngineConfig& config) {
    end_trial();
    if (used_engine() == config || !system_->exchange_engine(config)) return;
    tuning_.use(config);
    forces_.change_system(*system_, true, clock_.moment);
    queue_.restart();
    queue_.drop_checks();
}

void Simulation::choose_engine() {
    while (!evaluate(std::chrono::hours{1})) {
    }
    while (!tune(std::chrono::hours{1}, true)) {
    }
}

void Simulation::allow_tuning(bool allowed) {
    end_trial();
    tuning_.allow(allowed);
}

std::string Simulation::engine_choice() const {
    const std::string measured = tuning_.text(), own = system_->engine_choice();
    return measured + (measured.empty() || own.empty() ? "" : " · ") + own;
}

void Simulation::set_engine(const EngineConfig& config) {
    require_power(integrator(scene_.integrator), config, scene_.gravity.law, scene_.encounters);
    system_->wait();
    abandon_step();
    end_trial();
    const Bodies bodies = system_->bodies();
    require_representable(bodies, scene_.gravity, config);
    const bool other = config != engine_config_;
    const EngineConfig first =
        other ? engine_to_begin_with(config, bodies.size(), scene_.gravity.law, forces_.ranks()) : used_engine();
    std::shared_ptr<BodySystem> system = make_body_system(first, bodies, Urgency::kNormal, forces_.ranks());
    system->begin_forces(scene_.gravity, Potential::kSkip);  // lets the engine reject these bodies now
    system_ = std::move(system);
    forces_.change_system(*system_, other, clock_.moment);
    engine_config_ = config;
    if (other) tuning_.restart(config, bodies.size(), scene_.gravity.law);
    queue_.restart();
    queue_.drop_checks();
    encounters_.drop_positions();
}

void Simulation::set_gravity(const Gravity& gravity) {
    validate(gravity);
    require_adaptive(scene_.adaptive, gravity.law);
    require_power(integrator(scene_.integrator), engine_config_, gravity.law, scene_.encounters);
    abandon_step();
    end_trial();
    forces_.restart();
    system_->wait();
    if (gravity.law != scene_.gravity.law) system_->begin_forces(gravity, Potential::kSkip);  // may be rejected now
    scene_.gravity = gravity;
    forces_.change_gravity(clock_.moment);
}

void Simulation::set_dt(double dt) {
    if (!(dt > 0) || !std::isfinite(dt)) usage_error(fmt::format("time step {}: must be positive", dt));
    scene_.dt = dt;
}

void Simulation::set_integrator(std::string_view id, std::optional<double> adaptive) {
    const IntegratorEntry& entry = integrator(id);
    const double eta = adaptive.value_or(scene_.adaptive);
    require_power(entry, engine_config_, scene_.gravity.law, scene_.encounters);
    require_adaptive(eta, system_->count(), entry);
    require_adaptive(eta, scene_.gravity.law);
    scene_.integrator = entry.id;
    scene_.adaptive = eta;
    if (!within_step()) adopt_integrator();
}

void Simulation::set_encounters(const EncounterRule& rule) {
    if (within_step()) throw std::logic_error{"encounters, within a step"};
    end_trial();
    validate(rule);
    if (const std::string why =
            why_encounters_incompatible(rule, integrator(scene_.integrator), engine_config_, scene_.gravity.law);
        !why.empty())
        usage_error(why);
    scene_.encounters = rule;
    if (rule.on()) require_ids();
    const Bodies bodies = system_->bodies();
    encounters_.measure_radii(rule, bodies, bodies.size(), masses_of(bodies));
}

void Simulation::set_color_by(ColorBy by, std::optional<Vec3d> sight_line, std::optional<std::string> field) {
    const FrameColor before = forces_.color();
    forces_.set_color({by, sight_line.value_or(before.along), by == ColorBy::kError ? before.errors : nullptr,
                       field.value_or(before.field)});
}

void Simulation::set_fields(std::vector<BodyField> fields) {
    end_trial();
    system_->set_fields(std::move(fields));
    describe();
}

/// During playback: names stay, so only a filter and what decides how bodies shine change the description.
void Simulation::show_fields(std::vector<BodyField> fields) {
    const bool filtered = std::ranges::find(fields, kFilterField, &BodyField::name) != fields.end();
    system_->set_fields(std::move(fields));
    if (filtered || optics_of(system_->labels().fields) != encounters_.metadata().optics) describe();
}

void Simulation::describe() {
    with_reader(*system_, [&](const BodyReader& bodies) {
        encounters_.describe(scene_, system_->labels(), bodies.size(), Masses{bodies, nullptr});
    });
}

void Simulation::set_body_errors(std::shared_ptr<const BodyErrors> errors) {
    FrameColor color = forces_.color();
    color.errors = std::move(errors);
    forces_.set_color(color);
}

/// At the end of a step. Skipped if a body is lost: its contacts are undefined.
void Simulation::resolve_encounters() {
    if (!scene_.encounters.on() || clock_.dt < 0) return;
    Bodies bodies = system_->bodies();
    EncounterLedger ledger = encounters_.log().ledger;
    const auto outcome = encounters_.resolve(scene_, engine_config_, clock_, bodies, ledger);
    if (!outcome) return;
    if (!outcome->nothing()) {
        Snapshot next = snapshot();
        apply(*outcome, bodies, next);
        next.encounters = ledger;
        restore(next);
        encounters_.append(outcome->encounters);
    }
    encounters_.set_positions(std::move(bodies.position_mass), clock_);
}

void Simulation::require_ids() {
    if (encounters_.labels()) return;
    system_->wait();
    const bool known = !system_->labels().ids.empty();
    Bodies named = system_->labels();
    number(named.ids, system_->count());
    const auto labels = std::make_shared<const Bodies>(std::move(named));
    encounters_.set_initial_labels(labels);
    if (known) return encounters_.set_labels(labels);
    Snapshot same = snapshot();
    same.labels = labels;
    restore(same);
}

/// Creates a new system for other bodies; `state` has everything but the labels.
void Simulation::adopt_labels(std::shared_ptr<const Bodies> labels, const BodyState& state) {
    Bodies bodies = *labels;
    const BodyVectors<double> rows = unpack<double>(state);
    bodies.position_mass = rows.position_mass;
    bodies.velocity.reserve(rows.velocity.size());
    for (const Vec4d& v : rows.velocity) bodies.velocity.push_back(xyz(v));
    EngineConfig engine = used_engine();
    if (engine.engine == "auto") engine.deterministic = true;  // choose by N: trials would interrupt every merger
    system_ = make_body_system(engine, bodies, Urgency::kNormal, forces_.ranks());
    forces_.change_system(*system_, false, clock_.moment);
    queue_.restart();
    encounters_.describe(scene_, bodies, bodies.size(), masses_of(bodies));
    encounters_.set_labels(std::move(labels));
    encounters_.count_change();
}

/// Null if bodies are not coloured by a field.
const BodyField* Simulation::colored_field() const {
    const std::vector<BodyField>& fields = system_->labels().fields;
    const auto named = [&](std::string_view name) {
        const auto found = std::ranges::find(fields, name, &BodyField::name);
        return found == fields.end() ? nullptr : &*found;
    };
    const FrameColor& color = forces_.color();
    if (color.by == ColorBy::kStarlight) return optics_of(fields).shines() ? named(kStarlightFields[0]) : nullptr;
    if (color.by != ColorBy::kField) return nullptr;
    if (!color.field.empty()) return named(color.field);
    const auto first = std::ranges::find_if(fields, [](const BodyField& field) { return field.name != kFilterField; });
    return first == fields.end() ? nullptr : &*first;
}

void Simulation::fill(Frame& frame, bool may_reuse) const {
    Coloring coloring = forces_.coloring(may_reuse);
    const BodyField* field = colored_field();
    if (field) coloring.field = field->values;
    system_->fill(frame, coloring);
    if (coloring.by == ColorBy::kStarlight && !field) frame.no_color = kNoStarlight;
    if (field) {
        if (coloring.by == ColorBy::kField) frame.extent.field = field->name, frame.extent.field_unit = field->unit;
        frame.extent.missing = static_cast<double>(field->missing) / static_cast<double>(frame.count);
    }
    if (coloring.errors) frame.extent.samples = coloring.errors->samples;
    frame.lights = false, frame.all_bodies = 0;
    frame.blocks = nullptr;
    frame.step = clock_.steps;
    frame.time = clock_.time, frame.scale_factor = scene_.scale_factor;
    frame.expansion = expansion_of(scene_);
    encounters_.fill(frame);
    if (const PartPower* const part = system_->part())
        show_part(frame, *part, system_->count(), scene_, encounters_.metadata().mean_mass);
}

Snapshot Simulation::snapshot(std::optional<BodyState> bodies) const {
    if (tuning_.under_way()) {
        Snapshot before = tuning_.kept();
        if (!bodies) return before;
        before.bodies = *std::move(bodies);  // with the accelerations of a trial
        before.evaluated.reset(), before.forces_fresh = false;
        return before;
    }
    return {.bodies = bodies ? *std::move(bodies) : system_->save(),
            .steps = clock_.steps,
            .moment = clock_.moment,
            .time = clock_.time,
            .forces_fresh = forces_.fresh(),
            .evaluated = forces_.evaluated(),
            .history_key = system_->history_key(),
            .accuracy = forces_.accuracy().kept(),
            .engine = engine_config_,
            .used = tuning_.used(),
            .gravity = scene_.gravity,
            .encounters = encounters_.log().ledger,
            .labels = encounters_.labels()};
}

void Simulation::restore(const Snapshot& snapshot) {
    ++clock_.motions;
    system_->wait();
    end_trial();
    bool same_engine = snapshot.engine == engine_config_;
    if (same_engine && snapshot.used != tuning_.used()) {
        same_engine = system_->exchange_engine(snapshot.used.value_or(engine_config_));
        if (same_engine) tuning_.use(snapshot.used), queue_.restart();
    }
    const auto evaluated = same_engine ? snapshot.evaluated : std::nullopt;
    if (auto labels = encounters_.other_labels(snapshot))
        adopt_labels(std::move(labels), snapshot.bodies);
    else if (!evaluated)
        system_->forget_history();
    system_->restore(snapshot.bodies);
    if (evaluated) system_->restore_history(*evaluated, snapshot.history_key);
    forces_.restore(*system_, evaluated,
                    snapshot.forces_fresh && !integrator_->jerk && same_engine && snapshot.gravity == scene_.gravity,
                    same_engine ? snapshot.accuracy : KeptAccuracy{.acceptance = {}, .next = snapshot.moment});
    encounters_.restore(snapshot.encounters);
    encounters_.drop_positions();
    queue_.drop_checks();
    clock_.stage = 0;
    clock_.steps = snapshot.steps, clock_.moment = snapshot.moment, clock_.time = snapshot.time;
}

void Simulation::show(const Interpolation& way, double time, std::int64_t by) {
    ++clock_.motions;
    system_->wait();
    end_trial();
    if (InterpolationPower* const power = system_->interpolation())
        power->show(way, time);
    else
        system_->restore(way.at(time, engine_config_.precision));
    if (way.has_fields()) show_fields(way.fields(time));
    system_->forget_history();
    forces_.discard();
    encounters_.drop_positions();
    queue_.drop_checks();
    clock_.stage = 0;
    clock_.steps += by, ++clock_.moment, clock_.time = time;
    scene_.scale_factor = way.scale_factor(time), scene_.cosmology.scale_factor = way.expansion(time);
}

/// Rejects what a new simulation would reject before anything changes. Returns false for laws under which the engine
/// may reject bodies, and for systems whose arrays are in use elsewhere.
bool Simulation::edit(const BodyBackup* from, std::span<const BodyChange> changes, bool given,
                      const Continuation& continuation) {
    EditPower* const power = system_->edits();
    const Scene& to = continuation.settings;
    const Gravity& gravity = to.gravity;
    end_trial();
    if (!power || forces_.ranks() || within_step() || (knows_lost() && lost())) return false;
    if (!attracts_masses(gravity.law) || (gravity.law != PairLaw::kGravity && gravity.law != scene_.gravity.law))
        return false;
    if (from && from->precision() != of_state(engine_config_.precision)) return false;
    std::size_t count = from ? from->count() : system_->count();
    LabelColumns labels = label_columns(from ? from->labels : system_->labels());
    bool other_number = count != system_->count();  // at any stage: the arrays then move
    for (const BodyChange& change : changes) {
        count = count_after(change, count), labels = change.has;
        other_number = other_number || count != system_->count();
    }
    if (other_number && system_.use_count() > 1) return false;
    if (to.encounters.on() && !labels.ids) return false;

    const IntegratorEntry& wanted = integrator(to.integrator);
    require_adaptive(to.adaptive, count, wanted);
    require_adaptive(to.adaptive, gravity.law);
    require_power(wanted, engine_config_, gravity.law, to.encounters);
    for (const BodyChange& change : changes) require_fit(change.after, engine_config_.precision, change.rows);

    system_->wait();
    if (from) power->restore(*from);
    for (const BodyChange& change : changes) power->change(change);
    power->restart();
    continue_from(continuation, given ? &changes.back() : nullptr);
    return true;
}

/// Sets all members except the system as the constructor would. `given`: the edit just applied.
void Simulation::continue_from(const Continuation& continuation, const BodyChange* given) {
    scene_ = continuation.settings;
    integrator_ = &integrator(scene_.integrator);
    clock_ = {.time = scene_.time, .steps = continuation.steps, .motions = clock_.motions + 1};
    arrived_ = false;
    forces_.reset(*system_);
    queue_.restart();
    queue_.drop_checks();
    encounters_.reset(continuation.encounters);
    if (scene_.encounters.on()) require_ids();
    with_reader(*system_, [&](const BodyReader& bodies) {
        encounters_.describe(scene_, system_->labels(), bodies.size(), Masses{bodies, given});
    });
}

void complete_colors(Simulation& simulation) {
    while (simulation.forces().color_due() && !simulation.evaluate(std::chrono::hours{1})) {
    }
    if (simulation.forces().color().by != ColorBy::kError) return;
    const EngineConfig& engine = simulation.engine_config();
    const BodySystem& system = simulation.system();
    Pool pool{engine.threads, engine.background};
    simulation.set_body_errors(std::make_shared<const BodyErrors>(
        body_errors(pool, system.save(), law_of(engine), simulation.scene().gravity, system.labels().charge)));
}

Scene present_settings(const Simulation& simulation) {
    const Scene& scene = simulation.scene();
    return {.id = scene.id,
            .label = scene.label,
            .bodies = {},
            .gravity = scene.gravity,
            .dt = scene.dt,
            .integrator = scene.integrator,
            .adaptive = scene.adaptive,
            .encounters = scene.encounters,
            .time = simulation.now().time,
            .scale_factor = scene.scale_factor,
            .cosmology = scene.cosmology,
            .box = scene.box,
            .days_per_time = scene.days_per_time,
            .length_unit = scene.length_unit,
            .mass_unit = scene.mass_unit,
            .steps_per_frame = scene.steps_per_frame,
            .notes = {}};
}

Scene present_scene(const Simulation& simulation) {
    Scene scene = present_settings(simulation);
    scene.bodies = simulation.system().bodies();
    return scene;
}

BodyChange change_of(const Edit& edit, const Simulation& simulation) {
    return with_reader(simulation.system(),
                       [&](const BodyReader& bodies) { return change_of(edit, simulation.scene().gravity, bodies); });
}

BodyBackup backup_of(Simulation& simulation, BodyBackup old) {
    BodySystem& system = simulation.system();
    if (const auto* power = system.edits()) return power->backup(std::move(old));
    return backup_of(system.bodies(), of_state(simulation.engine_config().precision), std::move(old));
}

std::vector<std::size_t> ladder(Simulation& simulation) {
    return integrator(simulation.scene().integrator).individual ? require_steps(simulation.system()).ladder()
                                                                : std::vector<std::size_t>{};
}

}  // namespace orrery
