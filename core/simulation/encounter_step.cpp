// SPDX-License-Identifier: MIT
#include "core/simulation/encounter_step.hpp"

#include <algorithm>
#include <utility>

#include "core/bodies/frame.hpp"
#include "core/simulation/simulation.hpp"

namespace orrery {
namespace {

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
