// SPDX-License-Identifier: MIT
// Edits of the bodies, in place.
#include <algorithm>
#include <memory>
#include <optional>
#include <utility>

#include "core/bodies/body_reader.hpp"
#include "core/encounters/meeting.hpp"
#include "core/engines/menu.hpp"
#include "core/integrators/step_limit.hpp"
#include "core/physics/pair_laws.hpp"
#include "core/simulation/compatibility.hpp"
#include "core/simulation/edit.hpp"
#include "core/simulation/simulation.hpp"

namespace orrery {
namespace {

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

}  // namespace

BodyChange Simulation::change_of(const Edit& edit) const {
    return with_reader(*system_,
                       [&](const BodyReader& bodies) { return orrery::change_of(edit, scene_.gravity, bodies); });
}

BodyBackup Simulation::backup(BodyBackup old) const {
    if (auto* power = system_->edits()) return power->backup(std::move(old));
    return backup_of(system_->bodies(), of_state(engine_config_.precision), std::move(old));
}

/// Rejects what a new simulation would reject before anything changes. Returns false for laws under which the engine
/// may reject bodies, and for systems whose arrays are in use elsewhere.
bool Simulation::edit(const BodyBackup* from, std::span<const BodyChange> changes, bool given,
                      const Continuation& continuation) {
    EditPower* const power = system_->edits();
    const Scene& to = continuation.settings;
    const Gravity& gravity = to.gravity;
    if (!power || ranks_ || within_step() || (knows_lost() && lost_)) return false;
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
    ++motions_;
    scene_ = continuation.settings;
    integrator_ = wanted_integrator_ = &integrator(scene_.integrator);
    time_ = scene_.time, step_dt_ = 0;
    steps_ = continuation.steps, moment_ = 0, body_forces_ = 0, bodies_serial_ = 0;
    reversed_ = false, shown_ = false, color_forces_ = false, arrived_ = false;
    evaluated_.reset();
    check_state_ = Check::kNone;
    step_seconds_ = 0, queued_ = 1;
    restart_forces();
    keeper_ = {};
    keeper_.restore(keeper_.kept(), *system_);
    met_ = {continuation.encounters, {}};
    sweep_ = {};
    held_.clear();
    labels_ = first_labels_ = nullptr;
    if (scene_.encounters.on()) require_ids();
    find_pinned();
    with_reader(*system_, [&](const BodyReader& bodies) {
        const TotalMass all = sum_of_masses(bodies.size(), Masses{bodies, given});
        masses_ = relative_masses(bodies.size(), all, Masses{bodies, given});
        words_ = std::make_shared<const BodyMetadata>(metadata_of(scene_, system_->labels(), bodies.size(), all.sum));
        measure_radii(system_->labels(), bodies.size(), Masses{bodies, given});
    });
}

}  // namespace orrery
