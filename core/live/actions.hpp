// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <variant>
#include <vector>

#include "core/analysis/analysis_settings.hpp"
#include "core/bodies/frame.hpp"
#include "core/cloud/cloud_cut.hpp"
#include "core/engines/config.hpp"
#include "core/live/status.hpp"
#include "core/selection/named_sets.hpp"
#include "core/simulation/edit.hpp"
#include "core/simulation/scene_request.hpp"

namespace orrery {

class World;

/// The settings as they will be when all pending actions are applied, so that keys pressed in quick succession
/// accumulate.
struct ExpectedState {
    bool paused = false, reversed = false;
    double speed_limit = 0;
    double play_rate = 0;  ///< of a series: time per step
    EngineConfig engine;
    std::optional<CompareSettings> compare;  ///< settings of B, while one is requested
    SceneRequest request;                    ///< of the current scene, or the one being opened
};

/// Messages of refused actions.
inline constexpr std::string_view kCloudIsStill = "clouds are view-only; open the original snapshot to simulate it";
inline constexpr std::string_view kNoEditsInSeries =
    "a series is played: start computing from here before editing its bodies";
inline constexpr std::string_view kSeriesIsInFiles = "a series is played: its states are already in files";

// Requests to a running simulation. Values, applied in order between two slices. To add one, write a struct, here or in
// a header that this one includes, and name it in the list `Action`. An action may have these members:
//   kRecorded        its key in a session: it affects the computation, and must therefore be replayed with a recording
//   keys()           calls its argument with (key, number, least, most) for each number that a session stores. Without
//                    members a session stores a flag; other members need a Stored in app/scene/session.cpp
//   kShown           the present state is shown again after it
//   kJumps           it jumps in time, and is refused while a recording waits for frames
//   kNeedsSeries     it is refused unless a series is played
//   kNotInSeries     why it is refused while a series is played; with needs_moving(), only if that is true
//   needs_moving()   it needs moving bodies, or all bodies, and is refused for a cloud
//   runs_backward()  it moves back in time, and is refused while a session is recorded
//   engine_config()  the engine that it selects, or null
//   expect()         its effect on the expected state
//   apply()          its effect on the world: bodies, engine, step or comparison; as apply(auto& world) in a header.
//                    SimulationWorker applies the others, and what an action changes besides.
struct LoadScene {
    SceneRequest request;
    std::optional<EngineConfig> engine = {};  ///< used from the first evaluation on; empty: the current one
    std::optional<double> speed = {};         ///< as SetSpeed; empty: steps for 60 frames per second
    bool undoable = true;                     ///< false: clears the undo history
    bool look_first = false;                  ///< wait for a start if softening or dt of a snapshot had to be suggested
    static constexpr std::string_view kRecorded = "scene";
    EngineConfig* engine_config() { return engine ? &*engine : nullptr; }
    void expect(ExpectedState& state) const {
        state.request = request;
        if (engine) state.engine = *engine;
    }
    void apply(World& world) const;
    friend bool operator==(const LoadScene&, const LoadScene&) = default;
};
struct SetEngine {
    EngineConfig config;
    static constexpr std::string_view kRecorded = "engine";
    EngineConfig* engine_config() { return &config; }
    void expect(ExpectedState& state) const { state.engine = config; }
    void apply(World& world) const;
    friend bool operator==(const SetEngine&, const SetEngine&) = default;
};
/// Computes with another OpenGL device, see change_gl_device(). The bodies are kept; a comparison on gl restarts.
struct SetGlDevice {
    std::string device;
    static constexpr bool kShown = true;
    void apply(World& world) const;
};
struct SetPaused {
    bool paused;
    bool needs_moving() const { return !paused; }
    void expect(ExpectedState& state) const { state.paused = paused; }
};
/// Pauses, then takes one step of dt, or of −dt.
struct SingleStep {
    bool back = false;
    bool needs_moving() const { return true; }
    bool runs_backward() const { return back; }
    void expect(ExpectedState& state) const { state.paused = true; }
};
/// Reverses time from the next step on. Leapfrog is time-reversible: it retraces its steps up to rounding.
struct SetReversed {
    bool reversed;
    bool needs_moving() const { return reversed; }
    bool runs_backward() const { return true; }
    void expect(ExpectedState& state) const { state.reversed = reversed; }
};
struct SetDt {
    double dt;
    static constexpr std::string_view kRecorded = "dt";
    void keys(auto&& number) { number(kRecorded, dt, 1e-300, 1e300); }
    bool needs_moving() const { return true; }
    void apply(World& world) const;
    friend bool operator==(const SetDt&, const SetDt&) = default;
};
/// Sets the integrator from the next step on; `adaptive` as Scene::adaptive. Unset members keep their values.
struct SetIntegrator {
    std::optional<std::string> id;
    std::optional<double> adaptive;
    static constexpr std::string_view kRecorded = "integrator";
    bool needs_moving() const { return true; }
    void apply(World& world) const;
    friend bool operator==(const SetIntegrator&, const SetIntegrator&) = default;
};
/// Edits the bodies, at the end of the current step.
struct EditBodies {
    Edit edit;
    static constexpr std::string_view kRecorded = "edit";
    static constexpr std::string_view kNotInSeries = kNoEditsInSeries;
    bool needs_moving() const { return true; }
    void apply(World& world) const;
    friend bool operator==(const EditBodies&, const EditBodies&) = default;
};
/// Returns to the state before the last edit or scene change; Redo restores the present one.
struct Undo {
    static constexpr std::string_view kRecorded = "undo";
    static constexpr std::string_view kNotInSeries = kNoEditsInSeries;
    void apply(World& world) const;
    friend bool operator==(const Undo&, const Undo&) = default;
};
struct Redo {
    static constexpr std::string_view kRecorded = "redo";
    static constexpr std::string_view kNotInSeries = kNoEditsInSeries;
    void apply(World& world) const;
    friend bool operator==(const Redo&, const Redo&) = default;
};
struct SetSoftening {
    double softening;
    static constexpr std::string_view kRecorded = "softening";
    void keys(auto&& number) { number(kRecorded, softening, 0, 1e300); }
    bool needs_moving() const { return true; }
    void apply(World& world) const;
    friend bool operator==(const SetSoftening&, const SetSoftening&) = default;
};
/// Sets the pair law and its lengths, as in Gravity.
struct SetLaw {
    PairLaw law;
    double sigma, cut_off;
    static constexpr std::string_view kRecorded = "law";
    bool needs_moving() const { return true; }
    void apply(World& world) const;
    friend bool operator==(const SetLaw&, const SetLaw&) = default;
};
/// Sets what happens when bodies touch, from the next step on.
struct SetEncounters {
    EncounterRule rule;
    static constexpr std::string_view kRecorded = "encounters";
    static constexpr std::string_view kNotInSeries = "a series is played, not computed: encounters do not apply";
    bool needs_moving() const { return true; }
    void apply(World& world) const;
    friend bool operator==(const SetEncounters&, const SetEncounters&) = default;
};
/// Maximum number of steps per second, so that the motion of small scenes is visible; 0: no limit.
struct SetSpeed {
    double steps_per_second;
    void expect(ExpectedState& state) const { state.speed_limit = steps_per_second; }
};
/// For recording: publishes a frame every `steps_per_frame` steps and waits until the window has acknowledged it, so
/// that no frame is dropped and simulated time per frame is constant. 0: off.
struct SetPacing {
    int steps_per_frame;
};
/// Adds cells of the engine's tree to frames: complete levels from the root down, at most `most` cells; 0: none.
struct SetCells {
    std::size_t most;
};
/// Sets the colour quantity of frames. `field`: the name of the field for kField, which is loaded from the scene's file
/// if necessary; empty: the first that is loaded.
struct SetColorBy {
    ColorBy by;
    std::string field = {};
    static constexpr std::string_view kRecorded = "color_mode";
    static constexpr bool kShown = true;
    void apply(World& world) const;
    friend bool operator==(const SetColorBy&, const SetColorBy&) = default;
};
/// Loads fields that drawing needs, see World::load_drawn().
struct LoadFields {
    std::string list;
    static constexpr bool kShown = true;
    void apply(World& world) const;
};
/// Draws bodies that satisfy a condition as ViewSettings::filter_as, see World::set_filter(); empty: no filter.
struct SetFilter {
    std::string condition;
    NamedSets sets{};  ///< that it may name
    static constexpr std::string_view kRecorded = "filter";
    static constexpr bool kShown = true;
    bool needs_moving() const { return !condition.empty(); }
    void expect(ExpectedState& state) const { state.request.filter = condition; }
    void apply(World& world) const;
    friend bool operator==(const SetFilter&, const SetFilter&) = default;
};
/// Viewing direction, away from the eye; used only for colouring by line-of-sight velocity.
struct SetSightLine {
    Vec3d along;
    static constexpr bool kShown = true;
    void apply(World& world) const;
};
/// Adds intermediate positions of the bodies to frames, every so many steps, if there are few bodies; 0: off.
struct SetTrails {
    int every;
};
/// Starts or stops measuring error and time of the current tree engine for a range of opening angles and orders, on the
/// current bodies.
struct MeasureTheta {
    bool on;
    bool needs_moving() const { return on; }
};
/// Writes the state at the end of the current step: a checkpoint if the path ends in .orrery, which any command opens
/// and `run --resume` continues; otherwise a snapshot in the format of its extension.
struct SaveState {
    enum class By { kPerson, kItself };
    std::string path;
    /// kItself (autosave): writes a checkpoint in the background and without a message, at the end of the current step,
    /// without waiting for it. An empty path cancels one that has not begun.
    By by = By::kPerson;
    /// In a snapshot: only these bodies, by index; null: all.
    std::shared_ptr<const std::vector<std::uint32_t>> only = {};
    static constexpr std::string_view kNotInSeries = kSeriesIsInFiles;
    bool needs_moving() const { return by == By::kPerson && !only; }
};
/// Writes a snapshot every `every` steps, starting at the end of the current step, until another scene is loaded or an
/// empty pattern is sent. Pattern: NAME_%04d.EXTENSION; the extension selects the format.
struct RecordSnapshots {
    std::string pattern = {};
    std::uint64_t every = 0;
    static constexpr std::string_view kNotInSeries = kSeriesIsInFiles;
    bool needs_moving() const { return !pattern.empty(); }
};
/// Restores the snapshot nearest to a moment (see Timeline). With `hold` (dragging a scrub bar) nothing moves until a
/// request without it. Not while a recording waits for frames.
struct Rewind {
    std::uint64_t moment;
    bool hold;
    static constexpr bool kJumps = true;
    static constexpr std::string_view kNotInSeries = "a series is played: go to a time of the series instead";
    bool needs_moving() const { return true; }
    bool runs_backward() const { return true; }
};
/// Pauses, and goes this many snapshots back (negative) or forward.
struct RewindBy {
    int snapshots;
    static constexpr bool kJumps = true;
    bool needs_moving() const { return true; }
    bool runs_backward() const { return true; }
    void expect(ExpectedState& state) const { state.paused = true; }
};
/// Memory budget of snapshots, bytes.
struct SetRewindBudget {
    std::size_t bytes;
};
/// For a series: shows this time, or the nearest available. `hold` as in Rewind.
struct ShowTime {
    double time;
    bool hold = false;
    static constexpr std::string_view kRecorded = "series_time";
    void keys(auto&& number) { number(kRecorded, time, -1e300, 1e300); }
    static constexpr bool kNeedsSeries = true;
    void apply(World& world) const;
    friend bool operator==(const ShowTime&, const ShowTime&) = default;
};
/// For a series: time per step.
struct SetPlayRate {
    double time_per_step;
    static constexpr std::string_view kRecorded = "series_rate";
    void keys(auto&& number) { number(kRecorded, time_per_step, 1e-300, 1e300); }
    static constexpr bool kNeedsSeries = true;
    void expect(ExpectedState& state) const { state.play_rate = time_per_step; }
    void apply(World& world) const;
    friend bool operator==(const SetPlayRate&, const SetPlayRate&) = default;
};
/// For a series: whether to look for new snapshots and show each one that appears.
struct FollowSeries {
    bool on;
    static constexpr bool kNeedsSeries = true;
};
/// Stops playing a series: the simulation continues from the displayed bodies.
struct LeaveSeries {
    static constexpr std::string_view kRecorded = "series_end";
    static constexpr bool kNeedsSeries = true;
    void apply(World& world) const;
    friend bool operator==(const LeaveSeries&, const LeaveSeries&) = default;
};
/// Inspects these bodies, by index; results are in Status::inspection and Frame::watched. Null or empty: none.
struct Inspect {
    std::shared_ptr<const std::vector<std::uint32_t>> bodies;
    bool needs_moving() const { return bodies && !bodies->empty(); }
};
/// Copies the bodies as they are: Status::taken.
struct CopyBodies {
    bool needs_moving() const { return true; }
};
/// Plots the bodies repeatedly while they move: Status::analysis. Null: no plot.
struct WatchAnalysis {
    std::shared_ptr<const AnalysisSettings> settings;
    bool needs_moving() const { return settings != nullptr; }
};
/// Adds the centre of mass of all bodies to frames.
struct WatchCentreOfMass {
    bool on;
};
/// Changes the settings of B in a comparison, or starts a comparison from the current state.
struct SetCompare {
    CompareSettings settings;
    static constexpr std::string_view kRecorded = "compare";
    bool needs_moving() const { return true; }
    EngineConfig* engine_config() { return &settings.engine; }
    void expect(ExpectedState& state) const { state.compare = settings; }
    void apply(World& world) const;
    friend bool operator==(const SetCompare&, const SetCompare&) = default;
};
struct RestartCompare {  ///< restarts B from A's state
    static constexpr std::string_view kRecorded = "compare_restart";
    void apply(World& world) const;
    friend bool operator==(const RestartCompare&, const RestartCompare&) = default;
};
struct StopCompare {
    static constexpr std::string_view kRecorded = "compare_end";
    static constexpr bool kShown = true;
    void expect(ExpectedState& state) const { state.compare.reset(); }
    void apply(World& world) const;
    friend bool operator==(const StopCompare&, const StopCompare&) = default;
};
/// Colours B's frames by the distance of each body from A's; see Comparison::fill().
struct SetDifferences {
    bool on;
    void apply(World& world) const;
};
/// For a cloud: its visible part. Otherwise without effect.
struct SetViewRegion {
    ViewRegion region;
    void apply(World& world) const;
};
/// All actions. A session stores and repeats those of one frame in this order.
using Action = std::variant<LoadScene, SetEngine, SetGlDevice, SetPaused, SingleStep, SetReversed, SetDt, SetIntegrator,
                            SetSoftening, SetLaw, SetEncounters, SetSpeed, SetPacing, SetCells, SetColorBy, LoadFields,
                            SetFilter, SetTrails, MeasureTheta, Rewind, RewindBy, SetRewindBudget, ShowTime,
                            SetPlayRate, FollowSeries, LeaveSeries, Inspect, WatchCentreOfMass, WatchAnalysis,
                            SetCompare, RestartCompare, StopCompare, SetDifferences, EditBodies, Undo, Redo, SaveState,
                            SetViewRegion, SetSightLine, RecordSnapshots, CopyBodies>;

template <class One>
concept RecordedAction = requires {
    One::kRecorded;
};
template <class One>
concept KeyedAction = requires(One one) {
    one.keys([](std::string_view, double&, double, double) {});
};
template <class One>
concept ShownAction = requires {
    One::kShown;
};

/// The variant of those alternatives of another one that are recorded, in the same order.
template <class Of, class... Kept>
struct RecordedOf;
template <class First, class... Rest, class... Kept>
struct RecordedOf<std::variant<First, Rest...>, Kept...>
    : std::conditional_t<RecordedAction<First>, RecordedOf<std::variant<Rest...>, Kept..., First>,
                         RecordedOf<std::variant<Rest...>, Kept...>> {};
template <class... Kept>
struct RecordedOf<std::variant<>, Kept...> {
    using Type = std::variant<Kept...>;
};
using ComputedAction = RecordedOf<Action>::Type;

/// The present conditions that refuse actions.
struct ActionContext {
    bool cloud = false, series = false;  ///< displayed instead of computed bodies
    bool recording = false;              ///< a recording waits for frames
};
/// Why the action is refused, one line; empty: it is not.
inline std::string_view refusal(const Action& action, const ActionContext& context) {
    return std::visit(
        [&]<class One>(const One& one) -> std::string_view {
            bool moves = true;
            if constexpr (requires { one.needs_moving(); }) {
                moves = one.needs_moving();
                if (context.cloud && moves) return kCloudIsStill;
            }
            if constexpr (requires { One::kJumps; })
                if (context.recording) return "time cannot jump during a recording";
            if constexpr (requires { One::kNotInSeries; })
                if (context.series && moves) return One::kNotInSeries;
            if constexpr (requires { One::kNeedsSeries; })
                if (!context.series) return "no series is played";
            return {};
        },
        action);
}
inline bool runs_backward(const Action& action) {
    return std::visit(
        [](const auto& one) {
            if constexpr (requires { one.runs_backward(); }) return one.runs_backward();
            return false;
        },
        action);
}
/// Null: none.
inline EngineConfig* engine_config(Action& action) {
    return std::visit(
        [](auto& one) -> EngineConfig* {
            if constexpr (requires { one.engine_config(); }) return one.engine_config();
            return nullptr;
        },
        action);
}
inline void expect(ExpectedState& state, const Action& action) {
    std::visit(
        [&](const auto& one) {
            if constexpr (requires { one.expect(state); }) one.expect(state);
        },
        action);
}

}  // namespace orrery
