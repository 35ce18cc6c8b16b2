// SPDX-License-Identifier: MIT
#include "core/live/world.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <memory>
#include <optional>
#include <stdexcept>
#include <utility>
#include <variant>
#include <vector>

#include "core/base/error.hpp"
#include "core/bodies/representable.hpp"
#include "core/formats/fields.hpp"
#include "core/gl/info.hpp"
#include "core/simulation/compatibility.hpp"

namespace orrery {

namespace {

/// Switches to double if single precision cannot resolve the bodies, and adds a note to the scene: opening a scene for
/// display should not fail because of the precision.
EngineConfig resolving(Scene& scene, EngineConfig engine) {
    std::string why = unresolved(scene, engine.precision);
    if (why.empty() && engine.precision != Precision::kDouble)
        why = unrepresentable(scene.bodies, scene.gravity, engine);
    if (why.empty()) return engine;
    scene.notes.push_back(scene.id + ": computed in double precision: " + why);
    engine.precision = Precision::kDouble;
    return engine;
}

Simulation opened_simulation(OpenedScene& opened, const EngineConfig& engine, Ranks* ranks) {
    const EngineConfig config = resolving(opened.scene, engine);
    return Simulation{std::move(opened.scene), config, {}, ranks};
}

/// A comparison with a series starts at one of its snapshots, unless the player is already moving elsewhere.
void go_to_snapshot(World& world) {
    SeriesPlayer* const player = world.motion.player();
    if (player && !player->under_way()) player->go_to_nearest(world.simulation.now().time);
}

}  // namespace

MotionSource::MotionSource(OpenedScene& opened) {
    if (opened.series)
        source_ = std::make_unique<SeriesPlayer>(std::move(opened.series));
    else if (opened.cloud)
        source_ = std::move(opened.cloud);
}

void MotionSource::report_to(Status& status) const {
    if (player()) player()->report_to(status.source.series);
    status.source.cloud = cloud() ? cloud()->status() : CloudStatus{};
    if (cloud()) status.bodies = static_cast<std::size_t>(status.source.cloud.bodies);
}

void World::load(const LoadScene& wish) {
    OpenedScene opened = open_scene_or_series(wish.request);
    const EngineConfig engine = resolving(opened.scene, wish.engine.value_or(simulation.engine_config()));
    Simulation loaded{std::move(opened.scene), engine, {}, simulation.forces().ranks()};
    MotionSource source{opened};
    LiveFilter own = filter_of(loaded, source, wish.request);
    wish.undoable ? keep_state() : history.clear();
    adopt(std::move(loaded), std::move(source));
    request = wish.request, facts = std::move(opened.facts);
    filter = std::move(own);
    list_fields();
}

/// Lists the loaded fields, and those that the file offers.
void World::list_fields() {
    facts.fields.clear();
    for (const BodyField& field : simulation.system().labels().fields)
        if (field.name != kFilterField) facts.fields.push_back(field.name);
    if (!motion.computed()) return;
    for (std::string& name : names_of_fields(request.source))
        if (std::ranges::find(facts.fields, name) == facts.fields.end()) facts.fields.push_back(std::move(name));
}

void World::edit(const Edit& edit) {
    require_rest();
    BodyChange change = change_of(edit, simulation);
    const bool goes_on = history.continues(edit.stroke), keeps = EditHistory::keeps(simulation.system().count());
    EditedState kept;
    if (!goes_on && keeps) kept = history.present(simulation, request);
    go_to(nullptr, {&change, 1},
          {present_settings(simulation), simulation.now().steps, simulation.encounters().log().ledger},
          edit_kind(edit.kind).id);
    if (goes_on)
        history.continued(std::move(change), simulation);
    else if (keeps)
        history.edited(std::move(kept), std::move(change), edit.stroke, simulation);
    else
        history.forget();
}

void World::undo() {
    require_rest();
    exchange(history.to_undo(), &EditHistory::undone);
}

void World::redo() {
    require_rest();
    exchange(history.to_redo(), &EditHistory::redone);
}

void LoadScene::apply(World& world) const { world.load(*this); }
void EditBodies::apply(World& world) const { world.edit(edit); }
void Undo::apply(World& world) const { world.undo(); }
void Redo::apply(World& world) const { world.redo(); }
void SetEngine::apply(World& world) const {
    const bool narrower = of_state(config.precision) != of_state(world.simulation.engine_config().precision);
    if (narrower && !world.motion.cloud() && !world.simulation.within_step())
        require_resolved(present_scene(world.simulation), config.precision);
    world.simulation.set_engine(config);
}
void SetGlDevice::apply(World& world) const {
    const bool computes = world.simulation.engine_config().backend == Backend::kGl;
    const std::optional<Snapshot> state = computes ? std::optional{world.simulation.snapshot()} : std::nullopt;
    const auto go_on = [&] {
        if (state) world.simulation.restore(*state);
        if (world.comparison.computes_on(Backend::kGl)) world.comparison.restart();
    };
    try {
        change_gl_device(device);
    } catch (const Error&) {
        go_on();  // on the previous device, which was opened again
        throw;
    }
    go_on();
}
void SetDt::apply(World& world) const { world.simulation.set_dt(dt); }
void SetIntegrator::apply(World& world) const {
    world.simulation.set_integrator(id.value_or(world.simulation.scene().integrator), adaptive);
}
void SetSoftening::apply(World& world) const {
    Gravity gravity = world.simulation.scene().gravity;
    gravity.softening = softening;
    world.simulation.set_gravity(gravity);
}
void SetLaw::apply(World& world) const {
    const Gravity before = world.simulation.scene().gravity;
    Gravity gravity = before;
    gravity.law = law, gravity.sigma = sigma, gravity.cut_off = cut_off;
    world.simulation.set_gravity(gravity);
    try {
        world.comparison.law_changed(world.simulation);
    } catch (const Error&) {  // B's engine may not support the law
        world.simulation.set_gravity(before);
        throw;
    }
}
void SetEncounters::apply(World& world) const {
    world.simulation.set_encounters(rule);
    world.comparison.scene_changed(world.simulation);
}
void SetColorBy::apply(World& world) const {
    if (by == ColorBy::kField) world.load_field(field);
    if (by == ColorBy::kStarlight) world.load_drawn("starlight?");
    world.simulation.set_color_by(by, {}, field);
    world.comparison.set_color_by(by, {}, field);
}
void LoadFields::apply(World& world) const { world.load_drawn(list); }
void SetFilter::apply(World& world) const { world.set_filter(condition, sets); }
void SetSightLine::apply(World& world) const {
    const ColorBy by = world.simulation.forces().color().by;
    world.simulation.set_color_by(by, along);
    world.comparison.set_color_by(by, along);
}
void SetViewRegion::apply(World& world) const {
    if (CloudStream* const cloud = world.motion.cloud()) cloud->look(region);
}
void ShowTime::apply(World& world) const { world.motion.player()->go_to(time); }
void SetPlayRate::apply(World& world) const { world.motion.player()->set_rate(time_per_step); }
void LeaveSeries::apply(World& world) const { world.move_by({}); }
void SetCompare::apply(World& world) const {
    world.comparison.set(settings);
    if (!world.comparison.on()) go_to_snapshot(world);
}
void RestartCompare::apply(World& world) const {
    world.comparison.restart();
    go_to_snapshot(world);
}
void StopCompare::apply(World& world) const { world.comparison.stop(); }
void SetDifferences::apply(World& world) const { world.comparison.show_differences(on); }

void World::require_rest() const {
    if (simulation.within_step()) throw std::logic_error{"undo state requested within a step"};
}

/// Only if there is room and no step in progress; a series is already in files.
void World::keep_state() {
    if (motion.computed() && EditHistory::keeps(simulation.system().count()) && !simulation.within_step())
        history.add(history.present(simulation, request));
}

/// Returns to a state and keeps the present one. Applies only the changes in between if the bodies have not moved
/// since.
void World::exchange(EditedState there, void (EditHistory::*exchanged)(EditedState, const Simulation&)) {
    EditedState present = history.present(simulation, request);
    const std::span<const BodyChange> changes{there.moment->changes};
    const std::size_t here = history.changes_until_now(there, simulation);
    if (here == EditHistory::kElsewhere) {
        go_to(&there.moment->first, changes.first(there.changes), there.continuation);
    } else if (here <= there.changes) {
        go_to(nullptr, changes.subspan(here, there.changes - here), there.continuation);
    } else {
        std::vector<BodyChange> back;
        for (std::size_t i = here; i-- > there.changes;) back.push_back(changes[i].reversed());
        go_to(nullptr, back, there.continuation);
    }
    const bool filtered_otherwise = request.filter != there.request.filter || request.source != there.request.source;
    if (request != there.request) facts = {};
    request = there.request;
    if (filtered_otherwise) set_filter(request.filter, sets_);
    (history.*exchanged)(std::move(present), simulation);
}

/// Edits in place, or creates a new simulation. `edit`: id of the last change if it is a user's edit.
void World::go_to(const BodyBackup* from, std::span<const BodyChange> changes, Simulation::Continuation continuation,
                  std::string_view edit) {
    if (simulation.edit(from, changes, !edit.empty(), continuation)) return comparison.scene_changed(simulation);
    Scene& scene = continuation.settings;
    scene.bodies = from ? from->bodies() : simulation.system().bodies();
    for (const BodyChange& change : changes) orrery::apply(change, scene.bodies);
    if (!edit.empty()) validate(scene.bodies, std::string{edit});
    adopt(Simulation{std::move(continuation), simulation.engine_config(), simulation.forces().ranks()});
}

namespace {

/// Gives fields that were read later to both runs of a comparison, which have the same bodies and each a filter.
void give_fields(World& world, const std::vector<BodyField>& fields) {
    world.simulation.set_fields(fields);
    Simulation* const b = world.comparison.b();
    if (!b || b->system().count() != world.simulation.system().count()) return;
    const auto is_filter = [](const BodyField& field) { return field.name == kFilterField; };
    std::vector<BodyField> others = fields;
    std::erase_if(others, is_filter);
    std::ranges::copy_if(b->system().labels().fields, std::back_inserter(others), is_filter);
    b->set_fields(std::move(others));
}

}  // namespace

void World::load_field(const std::string& name) {
    const std::vector<BodyField>& loaded = simulation.system().labels().fields;
    if (name.empty() || std::ranges::find(loaded, name, &BodyField::name) != loaded.end() || motion.cloud()) return;
    if (!motion.computed())
        usage_error(fmt::format("{}: a series loads its fields when it is opened: --fields {}", request.source, name));
    Scene read = present_scene(simulation);
    read.bodies.fields.clear();
    load_fields(request.source, name, read);
    std::vector<BodyField> fields = loaded;
    for (BodyField& field : read.bodies.fields) fields.push_back(std::move(field));
    give_fields(*this, fields);
}

void World::load_drawn(const std::string& list) {
    std::error_code none;
    if (list.empty() || !motion.computed() || !std::filesystem::is_regular_file(request.source, none)) return;
    Scene read = present_scene(simulation);
    const std::size_t before = read.bodies.fields.size();
    load_fields(request.source, list, read);
    if (read.bodies.fields.size() != before) give_fields(*this, read.bodies.fields);
}

LiveFilter World::filter_of(Simulation& of, const MotionSource& moved_by, const SceneRequest& asked) const {
    std::error_code none;
    const bool series = moved_by.player() != nullptr;
    LiveFilter::Source source{.fields_change = series, .sets = sets_};
    if (std::filesystem::is_regular_file(asked.source, none)) source.file = asked.source;
    source.may_load = !series && !source.file.empty();
    return {of, asked.filter, source};
}

void World::set_filter(const std::string& condition, NamedSets sets) {
    SceneRequest asked = request;
    asked.filter = condition;
    NamedSets before = std::exchange(sets_, std::move(sets));
    try {
        if (condition.empty()) LiveFilter::remove(simulation);
        filter = filter_of(simulation, motion, asked);
    } catch (...) {
        sets_ = std::move(before);
        throw;
    }
    request.filter = condition;
    filter_b_ = {};
}

/// The second run begins with a copy of the first one's bodies and their filter, which does not follow its own motion.
void World::filter_b() {
    Simulation* const b = comparison.b();
    if (!b) return;
    if (filter.condition().empty()) return LiveFilter::remove(*b);
    if (filter_b_.condition() != filter.condition()) {
        SceneRequest asked = request;
        asked.filter = filter.condition();
        filter_b_ = filter_of(*b, motion, asked);
    }
}

void World::move_by(MotionSource next) {
    motion = std::move(next);
    comparison.set_of_series(motion.player());
}

void World::adopt(Simulation next, MotionSource next_motion) {
    const FrameColor color = simulation.forces().color();
    next.set_color_by(color.by, color.along, color.field);
    next.allow_tuning(simulation.tunes());
    simulation = std::move(next);
    move_by(std::move(next_motion));
    motion.cloud() ? comparison.stop() : comparison.scene_changed(simulation);
}

World::World(OpenedScene opened, const EngineConfig& engine, Ranks* ranks, SceneRequest asked)
    : simulation{opened_simulation(opened, engine, ranks)}, request{std::move(asked)}, facts{std::move(opened.facts)} {
    move_by(MotionSource{opened});
    filter = filter_of(simulation, motion, request);
    list_fields();
}

void World::require_allowed(const Action& action, bool recording) const {
    const std::string_view why = refusal(action, {motion.cloud() != nullptr, motion.player() != nullptr, recording});
    if (!why.empty()) usage_error(std::string{why});
}

bool World::apply(const Action& action) {
    require_allowed(action);
    return std::visit(
        [this](const auto& one) {
            if constexpr (requires { one.apply(*this); }) return one.apply(*this), true;
            return false;
        },
        action);
}

void World::allow_tuning(bool allowed) {
    simulation.allow_tuning(allowed);
    comparison.allow_tuning(simulation, allowed);
}

void World::take_steps(std::uint64_t steps, const Refused& refused) {
    constexpr std::chrono::duration<double> kQueue{0.05};
    if (motion.cloud()) return;  // nothing moves
    while (steps > 0) {
        settle(refused);
        if (SeriesPlayer* const player = motion.player()) {
            if (player->move(simulation, std::chrono::hours{1}) != SeriesPlayer::Moved::kStepped) continue;
            comparison.a_played(simulation);
            --steps;
        } else {
            steps -= simulation.take_steps(kQueue, comparison.on() ? 1 : steps);
            comparison.a_stepped(simulation);
        }
        settle(refused);
    }
}

void World::settle(const Refused& refused) {
    try {
        while (comparison_due()) comparison.work(simulation, std::chrono::hours{1});
    } catch (const Error& error) {
        refused(error.what());
    }
}

void World::complete(bool tree) {
    while (tree && !simulation.evaluate(std::chrono::hours{1})) {
    }
    complete_colors(simulation);
    comparison.complete_colors();
}

void World::fill(Frame& frame, bool may_reuse) {
    filter.update(simulation, may_reuse);
    filter_b();
    if (Simulation* const b = comparison.b()) filter_b_.update(*b, may_reuse);
    simulation.fill(frame, may_reuse);
    comparison.fill(simulation, frame, may_reuse);
    if (CloudStream* const cloud = motion.cloud()) cloud->fill(frame);
}

}  // namespace orrery
