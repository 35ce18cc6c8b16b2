// SPDX-License-Identifier: MIT
#pragma once
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include "core/live/actions.hpp"
#include "core/live/comparison.hpp"
#include "core/live/edit_history.hpp"
#include "core/live/live_filter.hpp"
#include "core/live/series_player.hpp"
#include "core/simulation/scene_request.hpp"
#include "core/simulation/simulation.hpp"

namespace orrery {

/// The source of the bodies' motion: steps of the simulation, a series of snapshots, or none, for a cloud.
class MotionSource {
public:
    struct Computed {};

    MotionSource() = default;                    ///< Computed
    explicit MotionSource(OpenedScene& opened);  ///< takes its series or cloud, if any

    /// Calls the visitor with Computed, SeriesPlayer or CloudStream, by reference.
    template <class Visitor>
    decltype(auto) visit(const Visitor& visitor) const {
        if (SeriesPlayer* const series = player()) return visitor(*series);
        if (CloudStream* const stream = cloud()) return visitor(*stream);
        return visitor(std::get<Computed>(source_));
    }
    bool computed() const { return std::holds_alternative<Computed>(source_); }
    SeriesPlayer* player() const { return of<SeriesPlayer>(); }  ///< null: no series is played
    CloudStream* cloud() const { return of<CloudStream>(); }     ///< null: no cloud is displayed
    /// The last snapshot reached; null if the bodies are the simulation's own.
    Interpolation::Moment snapshot() const { return player() ? player()->reached() : nullptr; }
    void report_to(Status& status) const;

private:
    template <class Source>
    Source* of() const {
        const auto* source = std::get_if<std::unique_ptr<Source>>(&source_);
        return source ? source->get() : nullptr;
    }

    std::variant<Computed, std::unique_ptr<SeriesPlayer>, std::unique_ptr<CloudStream>> source_;
};

/// A simulation and the second one of a comparison, if any, as used by the window, `record` and session replay. They
/// apply the actions on bodies through it, so all behave the same.
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
    /// Throws Error{kUsage} if the present state refuses the action. `recording`: a recording waits for frames.
    void require_allowed(const Action& action, bool recording = false) const;

    // The effects of actions, see there; edits, undo and redo only between two steps.
    void load(const LoadScene& wish);
    void edit(const Edit& edit);
    void undo();
    void redo();
    void move_by(MotionSource next);
    /// Loads a field of the scene's file unless it is loaded. Throws Error{kUsage} if the file has no such field, the
    /// scene has no file, or bodies were added or removed since.
    void load_field(const std::string& name);
    /// Loads fields for load_fields() from the scene's file; does nothing for scenes without a file, and for series,
    /// which load theirs when they are opened. Throws as load_fields() does.
    void load_drawn(const std::string& list);
    /// Draws only bodies that satisfy a condition, see LiveFilter, also of the comparison's second run; an empty one:
    /// all bodies. A series uses the fields that it was opened with. `sets`: that the condition may name.
    void set_filter(const std::string& condition, NamedSets sets);

    /// Takes whole steps, each followed by the comparison's; queued if there is no comparison and the device supports
    /// it. Bitwise identical to single steps.
    void take_steps(std::uint64_t steps, const Refused& refused);
    /// The second simulation must catch up or start; not while a series is about to jump.
    bool comparison_due() const {
        return !(motion.player() && motion.player()->under_way()) && comparison.due(simulation);
    }
    /// See Simulation::allow_tuning(); applies to later scenes too.
    void allow_tuning(bool allowed);
    void settle(const Refused& refused);  ///< lets the second simulation catch up
    /// Evaluates what a frame still needs: colours, and with `tree` the engine's cells.
    void complete(bool tree);
    /// Fills the frame with the displayed bodies, and frame.other with those of the comparison. `may_reuse` as in
    /// Coloring. Cells, trails and inspected bodies are added by the monitors that collect them.
    void fill(Frame& frame, bool may_reuse = false);

    Simulation simulation;
    SceneRequest request;  ///< request of the current scene
    SnapshotFacts facts;   ///< facts about the scene's file
    Comparison comparison;
    MotionSource motion;
    EditHistory history;
    LiveFilter filter;

private:
    LiveFilter filter_of(Simulation& of, const MotionSource& moved_by, const SceneRequest& asked) const;
    void filter_b();
    void list_fields();
    void require_rest() const;
    void keep_state();
    void exchange(EditedState there, void (EditHistory::*exchanged)(EditedState, const Simulation&));
    void go_to(const BodyBackup* from, std::span<const BodyChange> changes, Simulation::Continuation continuation,
               std::string_view edit = {});
    void adopt(Simulation next, MotionSource next_motion = {});

    NamedSets sets_;       // that filters may name
    LiveFilter filter_b_;  // of the comparison
};

}  // namespace orrery
