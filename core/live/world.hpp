// SPDX-License-Identifier: MIT
#pragma once
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "core/live/actions.hpp"
#include "core/live/comparison.hpp"
#include "core/live/edit_history.hpp"
#include "core/live/series_player.hpp"
#include "core/simulation/scene_request.hpp"
#include "core/simulation/simulation.hpp"

namespace orrery {

/// A simulation and the second one of a comparison, if any, as used by the window, `record` and session replay. They
/// share this one interpreter of the actions on bodies, so all behave the same.
class World {
public:
    /// Called with one line when the second simulation fails; the first one continues.
    using Refused = std::function<void(const std::string& why)>;

    explicit World(Simulation first) : simulation{std::move(first)} {}
    /// Takes a scene with its series or cloud, if any, which is then displayed instead of computed. `asked`: the
    /// request it was opened with.
    World(OpenedScene opened, const EngineConfig& engine, Ranks* ranks, SceneRequest asked = {});

    /// Applies an action that changes bodies, engine, step or comparison; edits, undo and redo only between two steps.
    /// Returns false, without effect, for actions on speed, history or monitors, which the caller handles. Throws as
    /// Simulation and Comparison do, leaving everything unchanged.
    bool apply(const Action& action);

    /// Takes whole steps, each followed by the comparison's; queued if there is no comparison and the device supports
    /// it. Bitwise identical to single steps.
    void take_steps(std::uint64_t steps, const Refused& refused);
    /// The second simulation must catch up or start; not while a series is about to jump.
    bool comparison_due() const { return !(player && player->under_way()) && comparison.due(simulation); }
    /// See Simulation::allow_tuning(); also of later scenes.
    void allow_tuning(bool allowed);
    void settle(const Refused& refused);  ///< lets the second simulation catch up
    /// Evaluates what a frame still needs: colours, and with `tree` the engine's cells.
    void complete(bool tree);

    Simulation simulation;
    SceneRequest request;  ///< request of the current scene
    SnapshotFacts facts;   ///< facts about the scene's file
    Comparison comparison;
    std::unique_ptr<SeriesPlayer> player;  ///< moves the bodies; null: the simulation's steps do
    std::unique_ptr<CloudStream> cloud;    ///< displayed instead of the bodies; null: none
    EditHistory history;

private:
    struct Interpreter;
    void require_rest() const;
    void keep_state();
    void come_back(const EditedState& there);
    void go_to(const BodyBackup* from, std::span<const BodyChange> changes, Simulation::Continuation continuation,
               std::string_view edit = {});
    void play(std::unique_ptr<SeriesPlayer> next);
    void adopt(Simulation next, std::unique_ptr<SeriesPlayer> next_player = nullptr,
               std::unique_ptr<CloudStream> next_cloud = nullptr);
};

}  // namespace orrery
