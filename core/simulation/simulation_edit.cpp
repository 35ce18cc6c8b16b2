// SPDX-License-Identifier: MIT
// Bodies that a person changes, where they lie.
#include <algorithm>
#include <memory>
#include <optional>
#include <utility>

#include "core/bodies/body_reader.hpp"
#include "core/encounters/meeting.hpp"
#include "core/engines/menu.hpp"
#include "core/integrators/step_limit.hpp"
#include "core/physics/pair_laws.hpp"
#include "core/simulation/edit.hpp"
#include "core/simulation/needs.hpp"
#include "core/simulation/simulation.hpp"

namespace orrery {
namespace {

/// Calls use(reader) with the bodies of a system, in its precision if it can.
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

/// Masses from the first body to the last; those that a person has just given as they are before they are rounded.
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

KeptBodies Simulation::keep(KeptBodies old) const {
    if (auto* power = system_->edits()) return power->keep(std::move(old));
    return kept(system_->bodies(), of_state(engine_config_.precision), std::move(old));
}

/// What a simulation made anew would refuse is refused before anything is done. Laws under which an engine may refuse
/// bodies are left to such a one, and so is what others look at.
bool Simulation::edit(const KeptBodies* from, std::span<const BodyChange> changes, bool given, const Onward& onward) {
    EditPower* const power = system_->edits();
    const Scene& to = onward.settings;
    const Gravity& gravity = to.gravity;
    if (!power || ranks_ || within_step() || (knows_lost() && lost_)) return false;
    if (!attracts_masses(gravity.law) || (gravity.law != PairLaw::kGravity && gravity.law != scene_.gravity.law))
        return false;
    if (from && from->precision() != of_state(engine_config_.precision)) return false;
    std::size_t count = from ? from->count() : system_->count();
    LabelColumns labels = label_columns(from ? from->labels : system_->labels());
    bool other_number = count != system_->count();  // at any time: then columns lie elsewhere
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
    if (from) power->put_back(*from);
    for (const BodyChange& change : changes) power->change(change);
    power->begin_anew();
    go_on(onward, given ? &changes.back() : nullptr);
    return true;
}

/// All but the system as the constructor leaves it. `given`: what has just been written.
void Simulation::go_on(const Onward& onward, const BodyChange* given) {
    ++motions_;
    scene_ = onward.settings;
    integrator_ = wanted_integrator_ = &integrator(scene_.integrator);
    time_ = scene_.time, step_dt_ = 0;
    steps_ = onward.steps, moment_ = 0, body_forces_ = 0, bodies_serial_ = 0;
    reversed_ = false, shown_ = false, color_forces_ = false, arrived_ = false;
    evaluated_.reset();
    looked_ = Looked::kNo;
    step_seconds_ = 0, queued_ = 1;
    restart_forces();
    keeper_ = {};
    keeper_.restore(keeper_.kept(), *system_);
    met_ = {onward.encounters, {}};
    sweep_ = {};
    held_.clear();
    labels_ = first_labels_ = nullptr;
    if (scene_.encounters.on()) require_ids();
    find_pinned();
    with_reader(*system_, [&](const BodyReader& bodies) {
        const TotalMass all = sum_of_masses(bodies.size(), Masses{bodies, given});
        masses_ = relative_masses(bodies.size(), all, Masses{bodies, given});
        words_ = std::make_shared<const SceneWords>(words_of(scene_, system_->labels(), bodies.size(), all.sum));
        measure_radii(system_->labels(), bodies.size(), Masses{bodies, given});
    });
}

}  // namespace orrery
