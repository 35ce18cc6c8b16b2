// SPDX-License-Identifier: MIT
#include "core/simulation/steps.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

#include "core/base/error.hpp"
#include "core/bodies/frame.hpp"
#include "core/simulation/simulation.hpp"

namespace orrery {
namespace {

using Clock = std::chrono::steady_clock;

constexpr double kPatience = 1.5;     // a step that takes up to this multiple of the budget is still taken whole
constexpr std::uint64_t kGrowth = 8;  // per queue: short queues are a poor measure of the time per step
constexpr std::uint64_t kLongest = 1u << 20;  // steps, regardless of the budget

/// A step as evaluations and the moves around them.
struct StepParts {
    std::vector<Move> before;         ///< the first evaluation
    MoveCycle after;                  ///< each evaluation
    std::vector<std::size_t> stages;  ///< index of each evaluation
};

StepParts parts_of(std::span<const Stage> stages, double dt) {
    StepParts parts;
    for (std::size_t i = 0; i < stages.size(); ++i) {
        if (stages[i].op == Stage::Op::kForce) {
            parts.after.emplace_back();
            parts.stages.push_back(i);
            continue;
        }
        const Move::Op op = stages[i].op == Stage::Op::kKick ? Move::Op::kKick : Move::Op::kDrift;
        (parts.after.empty() ? parts.before : parts.after.back()).push_back({op, stages[i].fraction * dt});
    }
    parts.after.back().push_back({Move::Op::kStepEnd});
    return parts;
}

template <class Value>
void keep_rows(std::vector<Value>& rows, const std::vector<std::uint8_t>& removed) {
    if (rows.empty() || removed.empty()) return;
    std::size_t kept = 0;
    for (std::size_t i = 0; i < rows.size(); ++i)
        if (!removed[i]) rows[kept++] = std::move(rows[i]);
    rows.resize(kept);
}

Bodies labels_of(Bodies bodies, const std::vector<std::uint8_t>& removed) {
    bodies.position_mass.clear(), bodies.velocity.clear();
    keep_rows(bodies.names, removed), keep_rows(bodies.species, removed);
    keep_rows(bodies.ids, removed), keep_rows(bodies.charge, removed);
    keep_rows(bodies.pinned, removed);
    for (BodyField& field : bodies.fields) {
        std::vector<float> values = *field.values;
        keep_rows(values, removed);
        field = with_values(field, std::move(values));
    }
    return bodies;
}

/// The state after encounters. Changed bodies have new values and therefore no compensation.
template <class Real>
BodyState state_after(const BodyState& before, const MeetingOutcome& met, const Bodies& after) {
    BodyVectors<Real> rows = unpack<Real>(before);
    for (const std::uint32_t i : met.changed) {
        rows.position_mass[i] = convert<Real>(after.position_mass[i]);
        const Vec3d v = after.velocity[i];
        Vec4<Real>& velocity = rows.velocity[i];
        velocity = {Real(v.x), Real(v.y), Real(v.z), velocity.w};
        if (!rows.position_low.empty()) rows.position_low[i] = rows.velocity_low[i] = {};
    }
    for (auto* column :
         {&rows.position_mass, &rows.velocity, &rows.acceleration, &rows.position_low, &rows.velocity_low})
        keep_rows(*column, met.removed);
    return pack<Real>(rows.position_mass, rows.velocity, rows.acceleration, rows.position_low, rows.velocity_low);
}

bool finite(const Bodies& bodies) {
    const auto all = [](const auto& v) { return (v.x - v.x) + (v.y - v.y) + (v.z - v.z) == 0; };
    return std::ranges::all_of(bodies.position_mass, all) && std::ranges::all_of(bodies.velocity, all);
}

}  // namespace

void StepClock::count(std::uint64_t taken) {
    const auto number = static_cast<std::int64_t>(taken);
    steps += dt < 0 ? -number : number;
    moment += taken;
    for (std::uint64_t i = 0; i < taken; ++i) time += dt;
}

std::uint64_t StepQueue::fitting(double budget, std::uint64_t most) const {
    if (step_seconds_ <= 0 || step_seconds_ > kPatience * budget) return 0;
    const double fit = std::min(budget / step_seconds_, static_cast<double>(kLongest));
    return std::min({std::max<std::uint64_t>(1, static_cast<std::uint64_t>(fit)), kGrowth * queued_, most});
}

std::uint64_t StepQueue::take(const Steps& steps, ForceEvaluation& forces, StepClock& clock) {
    BodySystem& system = steps.forces.system;
    const auto start = Clock::now();
    const std::uint64_t before = clock.moment;
    begin_checks(system, clock);
    try {
        enqueue(steps, forces, clock);
        lost(system, clock);  // waits
    } catch (const Error&) {
        if (!lost(system, clock)) throw;
        return clock.moment - before;
    }
    forces.read_clock(system);
    step_seconds_ = std::chrono::duration<double>(Clock::now() - start).count() / static_cast<double>(steps.count);
    queued_ = steps.count;
    return steps.count;
}

/// Bitwise identical to slices: makes the same calls in the same order, but without waiting.
void StepQueue::enqueue(const Steps& steps, ForceEvaluation& forces, StepClock& clock) {
    const ForceTask& task = steps.forces;
    BodySystem& system = task.system;
    if (starts_with_forces(steps.stages) && !forces.fresh()) forces.enqueue(task);
    const StepParts parts = parts_of(steps.stages, clock.dt);
    MoveCycle cycle = parts.after;  // includes the start of the next step, so that each body is moved in a single pass
    cycle.back().insert(cycle.back().end(), parts.before.begin(), parts.before.end());
    const auto one_more = [&](const MoveCycle& moves, bool timed) {
        for (std::size_t i = 0; i < moves.size(); ++i) {
            clock.stage = parts.stages[i];  // state of the step if the engine throws
            if (timed && i == 0) system.clock().start();
            forces.enqueue(task);
            if (timed && i == 0) system.clock().hold();
            system.move(moves[i]);
        }
        clock.count(1);
    };
    system.move(parts.before);
    for (std::uint64_t done = 0; done < steps.count; ++done) {
        if (done == 1) {  // replay the cycle of the first step for all but the last
            const std::uint64_t played = forces.repeat(task, cycle, steps.count - 2);
            clock.count(played);
            done += played;
        }
        const bool last = done + 1 == steps.count;
        one_more(last ? parts.after : cycle,
                 last);  // time the last evaluation: the host's latency is hidden behind the queue
    }
    clock.stage = 0;
    const auto drifts = [](const Move& move) { return move.op == Move::Op::kDrift; };
    forces.set_fresh(std::ranges::none_of(parts.after.back(), drifts));
}

void StepQueue::begin_checks(BodySystem& system, const StepClock& clock) {
    system.step_queue()->begin_checks();
    check_state_ = Check::kQueued;
    checked_from_ = clock.steps, checked_time_ = clock.time;
}

std::optional<StepQueue::Lost> StepQueue::lost(BodySystem& system, const StepClock& clock) {
    if (check_state_ == Check::kDone) return lost_;
    lost_.reset();
    if (check_state_ == Check::kNone) {
        if (const auto body = system.first_not_finite()) lost_ = {*body, clock.steps, clock.time};
    } else if (const auto found = system.step_queue()->first_lost()) {
        lost_ = {found->body, checked_from_, checked_time_};
        for (std::uint64_t i = 0; i <= found->ends; ++i) lost_->step += clock.dt < 0 ? -1 : 1, lost_->time += clock.dt;
    }
    check_state_ = Check::kDone;
    return lost_;
}

void apply(const MeetingOutcome& outcome, Bodies& bodies, Snapshot& snapshot) {
    snapshot.bodies = snapshot.bodies.precision == Precision::kSingle
                          ? state_after<float>(snapshot.bodies, outcome, bodies)
                          : state_after<double>(snapshot.bodies, outcome, bodies);
    keep_rows(bodies.position_mass, outcome.removed);
    if (!outcome.removed.empty()) snapshot.labels = std::make_shared<const Bodies>(labels_of(bodies, outcome.removed));
    snapshot.forces_fresh = snapshot.forces_fresh && !outcome.moved && outcome.removed.empty();
}

void EncounterStep::fill(Frame& frame) const {
    frame.masses = masses_;
    frame.radii = radii_;
    frame.words = metadata_;
}

void EncounterStep::find_pinned(const Bodies& labels) {
    pinned_.clear();
    for (std::uint32_t i = 0; i < labels.pinned.size(); ++i)
        if (labels.pinned[i]) pinned_.push_back(i);
}

/// Pinned bodies move freely within the step and are put back: the force on other bodies is then that of the pinned
/// position up to dt²/2. Positions at the end of the last step are those at the start of this one, unless something
/// changed in between.
void EncounterStep::begin(const BodySystem& system, const EncounterRule& rule, const StepClock& clock) {
    if (rule.on() && !clock.reversed && !(sweep_.known && sweep_.moment == clock.moment))
        set_positions(system.bodies().position_mass, clock);
    if (pinned_.empty()) return;
    held_ = system.sample(pinned_);
    for (BodySample& body : held_) body.velocity = {};
}

void EncounterStep::restore_pinned(BodySystem& system) const {
    if (!pinned_.empty()) system.place(pinned_, held_);
}

std::optional<MeetingOutcome> EncounterStep::resolve(const Scene& scene, const EngineConfig& engine,
                                                     const StepClock& clock, Bodies& bodies, EncounterLedger& ledger) {
    if (!pool_) pool_ = std::make_unique<Pool>(engine.threads, engine.background);
    if (!finite(bodies)) return std::nullopt;
    const MeetingStep step{.before = sweep_.positions,
                           .number = clock.steps,
                           .end = clock.time,
                           .dt = clock.dt,
                           .single = of_state(engine.precision) == Precision::kSingle};
    return meet(*pool_, scene.encounters, scene.gravity, step, bodies, ledger);
}

void EncounterStep::append(const std::vector<Encounter>& encounters) {
    auto& last = log_.last;
    const std::size_t kept = std::max(EncounterLog::kMostKept, encounters.size());
    last.insert(last.end(), encounters.begin(), encounters.end());
    while (last.size() > kept) last.pop_front();
}

std::shared_ptr<const Bodies> EncounterStep::other_labels(const Snapshot& snapshot) const {
    const auto& labels = snapshot.labels ? snapshot.labels : initial_labels_;
    return labels == labels_ ? nullptr : labels;
}

void EncounterStep::restore(const EncounterLedger& ledger) {
    for (std::uint64_t n = log_.ledger.count(); n > ledger.count() && !log_.last.empty(); --n) log_.last.pop_back();
    log_.ledger = ledger;
}

void EncounterStep::reset(const EncounterLedger& ledger) {
    log_ = {ledger, {}};
    sweep_ = {};
    held_.clear();
    labels_ = initial_labels_ = nullptr;
    bodies_serial_ = 0;
}

}  // namespace orrery
