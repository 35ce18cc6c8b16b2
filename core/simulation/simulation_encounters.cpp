// SPDX-License-Identifier: MIT
// Encounters: contacts of bodies, resolved after each whole step.
#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>
#include <utility>

#include "core/base/error.hpp"
#include "core/base/pool.hpp"
#include "core/encounters/meeting.hpp"
#include "core/simulation/compatibility.hpp"
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

Bodies labels_of(Bodies bodies) {
    bodies.position_mass.clear(), bodies.velocity.clear();
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

void Simulation::set_encounters(const EncounterRule& rule) {
    if (within_step()) throw std::logic_error{"encounters, within a step"};
    validate(rule);
    if (const std::string why =
            why_encounters_incompatible(rule, *wanted_integrator_, engine_config_, scene_.gravity.law);
        !why.empty())
        usage_error(why);
    scene_.encounters = rule;
    if (rule.on()) require_ids();
    const Bodies bodies = system_->bodies();
    measure_radii(bodies, bodies.size(), [&](std::size_t i) { return bodies.position_mass[i].w; });
}

/// Indices change when bodies merge; ids identify the bodies.
void Simulation::require_ids() {
    if (labels_) return;
    system_->wait();
    first_labels_ = labels_ = std::make_shared<const Bodies>(system_->labels());
    if (!labels_->ids.empty()) return;
    Bodies named = *labels_;
    named.ids.resize(system_->count());
    std::iota(named.ids.begin(), named.ids.end(), std::uint64_t{0});
    Snapshot same = snapshot();
    first_labels_ = same.labels = std::make_shared<const Bodies>(std::move(named));
    restore(same);
}

/// Creates a new system for other bodies; `state` has everything but the labels.
void Simulation::adopt_labels(std::shared_ptr<const Bodies> labels, const BodyState& state) {
    Bodies bodies = *labels;
    const BodyVectors<double> rows = unpack<double>(state);
    bodies.position_mass = rows.position_mass;
    bodies.velocity.reserve(rows.velocity.size());
    for (const Vec4d& v : rows.velocity) bodies.velocity.push_back(xyz(v));
    EngineConfig engine = engine_config_;
    if (engine.engine == "auto") engine.deterministic = true;  // choose by N: trials would interrupt every merger
    system_ = make_body_system(engine, bodies, Urgency::kNormal, ranks_);
    keeper_.restore(keeper_.kept(), *system_);
    masses_ = relative_masses(bodies.position_mass);
    measure_radii(bodies, bodies.size(), [&](std::size_t i) { return bodies.position_mass[i].w; });
    Scene words{.bodies = std::move(bodies),
                .encounters = scene_.encounters,
                .days_per_time = scene_.days_per_time,
                .length_unit = scene_.length_unit,
                .mass_unit = scene_.mass_unit};
    words_ = std::make_shared<const BodyMetadata>(metadata_of(words));
    labels_ = std::move(labels);
    find_pinned();
    color_forces_ = false;
    items_per_second_ = step_seconds_ = 0;
    queued_ = 1;
    ++bodies_serial_;
}

/// Null if bodies are points. Calls mass(i) in the order of bodies.
void Simulation::measure_radii(const Bodies& labels, std::size_t count,
                               const std::function<double(std::size_t)>& mass) {
    radii_.reset();
    const EncounterRule& rule = scene_.encounters;
    if (rule.density == 0 && rule.radius == 0) return;
    auto radii = std::make_shared<std::vector<float>>(count);
    for (std::size_t i = 0; i < count; ++i)
        (*radii)[i] = static_cast<float>(radius_of(rule, mass(i), is_marked(labels, i)));
    radii_ = std::move(radii);
}

void Simulation::find_pinned() {
    pinned_.clear();
    const auto& pinned = system_->labels().pinned;
    for (std::uint32_t i = 0; i < pinned.size(); ++i)
        if (pinned[i]) pinned_.push_back(i);
}

/// At the beginning of a step. Pinned bodies move freely within the step and are put back: the force on other bodies is
/// then that of the pinned position up to dt²/2.
void Simulation::save_pinned() {
    if (pinned_.empty()) return;
    held_ = system_->sample(pinned_);
    for (BodySample& body : held_) body.velocity = {};
}

void Simulation::restore_pinned() {
    if (!pinned_.empty()) system_->place(pinned_, held_);
}

/// Positions at the end of the last step are those at the beginning of this one, unless something changed in between.
void Simulation::begin_sweep() {
    if (!scene_.encounters.on() || reversed_ || (sweep_.known && sweep_.moment == moment_)) return;
    sweep_ = {system_->bodies().position_mass, moment_, true};
}

/// At the end of a step. Skipped if a body is lost: its contacts are undefined.
void Simulation::resolve_encounters() {
    if (!scene_.encounters.on() || step_dt_ < 0) return;
    if (!sweep_pool_) sweep_pool_ = std::make_unique<Pool>(engine_config_.threads, engine_config_.background);
    Bodies bodies = system_->bodies();
    if (!finite(bodies)) return;
    EncounterLedger ledger = met_.ledger;
    const MeetingStep step{.before = sweep_.places,
                           .number = steps_,
                           .end = time_,
                           .dt = step_dt_,
                           .single = of_state(engine_config_.precision) == Precision::kSingle};
    const MeetingOutcome met = meet(*sweep_pool_, scene_.encounters, scene_.gravity, step, bodies, ledger);
    if (!met.nothing()) {
        Snapshot next = snapshot();
        next.bodies =
            step.single ? state_after<float>(next.bodies, met, bodies) : state_after<double>(next.bodies, met, bodies);
        keep_rows(bodies.position_mass, met.removed);
        if (!met.removed.empty()) {
            Bodies labels = labels_of(bodies);
            keep_rows(labels.names, met.removed), keep_rows(labels.species, met.removed);
            keep_rows(labels.ids, met.removed), keep_rows(labels.charge, met.removed);
            keep_rows(labels.pinned, met.removed);
            next.labels = std::make_shared<const Bodies>(std::move(labels));
        }
        next.forces_fresh = next.forces_fresh && !met.moved && met.removed.empty();
        next.encounters = ledger;
        restore(next);
        auto& last = met_.last;
        const std::size_t kept = std::max(EncounterLog::kMostKept, met.encounters.size());
        last.insert(last.end(), met.encounters.begin(), met.encounters.end());
        while (last.size() > kept) last.pop_front();
    }
    sweep_ = {std::move(bodies.position_mass), moment_, true};
}

}  // namespace orrery
