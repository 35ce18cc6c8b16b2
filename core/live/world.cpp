// SPDX-License-Identifier: MIT
#include "core/live/world.hpp"

#include <memory>
#include <stdexcept>
#include <utility>
#include <variant>
#include <vector>

#include "core/base/error.hpp"
#include "core/bodies/representable.hpp"
#include "core/simulation/compatibility.hpp"

namespace orrery {

namespace {

std::unique_ptr<SeriesPlayer> player_of(std::unique_ptr<Series> series) {
    return series ? std::make_unique<SeriesPlayer>(std::move(series)) : nullptr;
}

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

}  // namespace

/// One overload per action; the last one handles all others.
struct World::Interpreter {
    World& both;

    bool operator()(const LoadScene& wish) const {
        const Simulation& before = both.simulation;
        OpenedScene opened = open_scene_or_series(wish.request);
        const EngineConfig engine = resolving(opened.scene, wish.engine.value_or(before.engine_config()));
        Simulation loaded{std::move(opened.scene), engine, {}, before.forces().ranks()};
        wish.undoable ? both.keep_state() : both.history.clear();
        both.adopt(std::move(loaded), player_of(std::move(opened.series)), std::move(opened.cloud));
        both.request = wish.request, both.facts = std::move(opened.facts);
        return true;
    }
    bool operator()(const EditBodies& wish) const {
        both.require_rest();
        Simulation& before = both.simulation;
        EditHistory& history = both.history;
        const std::uint32_t stroke = wish.edit.stroke;
        BodyChange change = change_of(wish.edit, before);
        const bool goes_on = history.continues(stroke), keeps = EditHistory::keeps(before.system().count());
        EditedState kept;
        if (!goes_on && keeps) kept = history.present(before, both.request);
        both.go_to(nullptr, {&change, 1},
                   {present_settings(before), before.now().steps, before.encounters().log().ledger},
                   edit_kind(wish.edit.kind).id);
        if (goes_on)
            history.continued(std::move(change), both.simulation);
        else if (keeps)
            history.edited(std::move(kept), std::move(change), stroke, both.simulation);
        else
            history.forget();
        return true;
    }
    bool operator()(const Undo&) const {
        both.require_rest();
        const EditedState there = both.history.to_undo();
        EditedState present = both.history.present(both.simulation, both.request);
        both.come_back(there);
        return both.history.undone(std::move(present), both.simulation), true;
    }
    bool operator()(const Redo&) const {
        both.require_rest();
        const EditedState there = both.history.to_redo();
        EditedState present = both.history.present(both.simulation, both.request);
        both.come_back(there);
        return both.history.redone(std::move(present), both.simulation), true;
    }
    bool operator()(const SetEngine& wish) const {
        const bool narrower = of_state(wish.config.precision) != of_state(both.simulation.engine_config().precision);
        if (narrower && !both.cloud && !both.simulation.within_step())
            require_resolved(present_scene(both.simulation), wish.config.precision);
        return both.simulation.set_engine(wish.config), true;
    }
    bool operator()(const SetDt& wish) const { return both.simulation.set_dt(wish.dt), true; }
    bool operator()(const SetIntegrator& wish) const {
        Simulation& first = both.simulation;
        return first.set_integrator(wish.id.value_or(first.scene().integrator), wish.adaptive), true;
    }
    bool operator()(const SetSoftening& wish) const {
        Gravity gravity = both.simulation.scene().gravity;
        gravity.softening = wish.softening;
        return both.simulation.set_gravity(gravity), true;
    }
    bool operator()(const SetLaw& wish) const {
        const Gravity before = both.simulation.scene().gravity;
        Gravity gravity = before;
        gravity.law = wish.law, gravity.sigma = wish.sigma, gravity.cut_off = wish.cut_off;
        both.simulation.set_gravity(gravity);
        try {
            both.comparison.law_changed(both.simulation);
        } catch (const Error&) {  // B's engine may not support the law
            both.simulation.set_gravity(before);
            throw;
        }
        return true;
    }
    bool operator()(const SetEncounters& wish) const {
        if (both.player) usage_error("a series is played, not computed: encounters do not apply");
        both.simulation.set_encounters(wish.rule);
        both.comparison.scene_changed(both.simulation);
        return true;
    }
    bool operator()(const SetColorBy& wish) const {
        both.simulation.set_color_by(wish.by);
        return both.comparison.set_color_by(wish.by), true;
    }
    bool operator()(const SetSightLine& wish) const {
        const ColorBy by = both.simulation.forces().color().by;
        both.simulation.set_color_by(by, wish.along);
        return both.comparison.set_color_by(by, wish.along), true;
    }
    bool operator()(const SetViewRegion& wish) const {
        if (both.cloud) both.cloud->look(wish.region);
        return true;
    }
    bool operator()(const ShowTime& wish) const { return played().go_to(wish.time), true; }
    bool operator()(const SetPlayRate& wish) const { return played().set_rate(wish.time_per_step), true; }
    bool operator()(const LeaveSeries&) const {
        played();
        return both.play(nullptr), true;
    }
    bool operator()(const SetCompare& wish) const {
        both.comparison.set(wish.settings);
        if (!both.comparison.on()) begin_at_snapshot();
        return true;
    }
    bool operator()(const RestartCompare&) const {
        both.comparison.restart();
        return begin_at_snapshot(), true;
    }
    bool operator()(const StopCompare&) const { return both.comparison.stop(), true; }
    bool operator()(const SetDifferences& wish) const { return both.comparison.show_differences(wish.on), true; }
    template <class Other>
    bool operator()(const Other&) const {
        return false;
    }

private:
    /// A comparison with a series starts at one of its snapshots, unless the player is already moving elsewhere.
    void begin_at_snapshot() const {
        if (both.player && !both.player->under_way()) both.player->go_to_nearest(both.simulation.now().time);
    }
    SeriesPlayer& played() const {
        if (!both.player) usage_error("no series is played");
        return *both.player;
    }
};

void World::require_rest() const {
    if (simulation.within_step()) throw std::logic_error{"undo state requested within a step"};
    if (player) usage_error("a series is played: start computing from here before editing its bodies");
}

/// Only if there is room and no step in progress; a series is already in files.
void World::keep_state() {
    if (!player && !cloud && EditHistory::keeps(simulation.system().count()) && !simulation.within_step())
        history.add(history.present(simulation, request));
}

/// Applies only the changes in between if the bodies have not moved since.
void World::come_back(const EditedState& there) {
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
    if (request != there.request) facts = {};
    request = there.request;
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

void World::play(std::unique_ptr<SeriesPlayer> next) {
    player = std::move(next);
    comparison.set_of_series(player.get());
}

void World::adopt(Simulation next, std::unique_ptr<SeriesPlayer> next_player, std::unique_ptr<CloudStream> next_cloud) {
    const FrameColor color = simulation.forces().color();
    next.set_color_by(color.by, color.along);
    next.allow_tuning(simulation.tunes());
    simulation = std::move(next);
    play(std::move(next_player));
    cloud = std::move(next_cloud);
    cloud ? comparison.stop() : comparison.scene_changed(simulation);
}

World::World(OpenedScene opened, const EngineConfig& engine, Ranks* ranks, SceneRequest asked)
    : simulation{opened_simulation(opened, engine, ranks)},
      request{std::move(asked)},
      facts{std::move(opened.facts)},
      cloud{std::move(opened.cloud)} {
    play(player_of(std::move(opened.series)));
}

bool World::apply(const Action& action) {
    if (cloud && needs_moving(action)) usage_error(std::string{kCloudIsStill});
    return std::visit(Interpreter{*this}, action);
}

void World::allow_tuning(bool allowed) {
    simulation.allow_tuning(allowed);
    comparison.allow_tuning(simulation, allowed);
}

void World::take_steps(std::uint64_t steps, const Refused& refused) {
    constexpr std::chrono::duration<double> kQueue{0.05};
    if (cloud) return;  // nothing moves
    while (player && steps > 0) {
        settle(refused);
        const auto moved = player->move(simulation, std::chrono::hours{1});
        if (moved != SeriesPlayer::Moved::kStepped) continue;
        comparison.a_played(simulation);
        settle(refused);
        --steps;
    }
    while (steps > 0) {
        settle(refused);
        steps -= simulation.take_steps(kQueue, comparison.on() ? 1 : steps);
        comparison.a_stepped(simulation);
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
    if (tree || simulation.forces().color_due())
        while (!simulation.evaluate(std::chrono::hours{1})) {
        }
    comparison.complete_colors();
}

}  // namespace orrery
