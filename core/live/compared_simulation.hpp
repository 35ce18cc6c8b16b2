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
#include "core/simulation/opened_scene.hpp"
#include "core/simulation/simulation.hpp"

namespace orrery {

/// A simulation and, beside it, the second one of a comparison if there is one: what the window's thread, `record` and
/// the player of a session drive. One interpreter of the actions that act on bodies, so all of them do the same.
class ComparedSimulation {
public:
    /// Told in one line what stops the second simulation alone; the first goes on.
    using Refused = std::function<void(const std::string& why)>;

    explicit ComparedSimulation(Simulation first) : simulation{std::move(first)} {}
    /// The scene with its series or cloud, if it has one, which is then shown in place of steps; and by what it was
    /// opened.
    ComparedSimulation(OpenedScene opened, const EngineConfig& engine, Ranks* ranks, SceneRequest asked = {});

    /// Applies what changes bodies, engine, step or comparison; edits and what undoes them between two steps. False,
    /// and nothing is done: the action is of pace, of the past or of what is watched, which belong to the caller.
    /// Throws as Simulation and Comparison do, and then everything is as it was.
    bool apply(const Action& action);

    /// Whole steps, each followed by the comparison's; queued where nothing is compared and a device can. Bitwise the
    /// same as one by one.
    void take_steps(std::uint64_t steps, const Refused& refused);
    /// The second simulation has to catch up, or to begin; not while a series is about to go elsewhere.
    bool comparison_due() const { return !(player && player->under_way()) && comparison.due(simulation); }
    void settle(const Refused& refused);  ///< lets it
    /// Evaluates what a frame needs that has not been computed: colours, and with `tree` the engine's cells.
    void complete(bool tree);

    Simulation simulation;
    SceneRequest request;  ///< of the scene that the simulation is of
    SnapshotFacts facts;   ///< of the file that this scene was opened from, until another one is loaded
    Comparison comparison;
    std::unique_ptr<SeriesPlayer> player;  ///< that moves the bodies; null: the simulation's steps do
    std::unique_ptr<CloudStream> cloud;    ///< that is shown in place of the bodies, which do not move; null: they are
    EditHistory history;

private:
    struct Interpreter;
    void require_rest() const;
    void keep_state();
    void come_back(const EditedState& there);
    void go_to(const KeptBodies* from, std::span<const BodyChange> changes, const Simulation::Onward& onward,
               std::string_view edit = {});
    void play(std::unique_ptr<SeriesPlayer> next);
    void adopt(Simulation next, std::unique_ptr<SeriesPlayer> next_player = nullptr,
               std::unique_ptr<CloudStream> next_cloud = nullptr);
};

}  // namespace orrery
