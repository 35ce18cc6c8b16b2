// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/analysis/analysis_settings.hpp"
#include "core/bodies/color_by.hpp"
#include "core/cloud/cloud_cut.hpp"
#include "core/engines/config.hpp"
#include "core/live/compare_status.hpp"
#include "core/simulation/edit.hpp"
#include "core/simulation/scene_request.hpp"

namespace orrery {

// Requests to a running simulation. Values, applied in order between two slices.
struct LoadScene {
    SceneRequest request;
    std::optional<EngineConfig> engine = {};  ///< from the first evaluation on; empty: the current one
    std::optional<double> speed = {};         ///< as SetSpeed; empty: 60 frames' worth of steps
    bool undoable = true;                     ///< otherwise all that could be undone is forgotten
    bool look_first = false;  ///< of a snapshot for which softening or dt had to be suggested: it waits for a start
    friend bool operator==(const LoadScene&, const LoadScene&) = default;
};
struct SetEngine {
    EngineConfig config;
    friend bool operator==(const SetEngine&, const SetEngine&) = default;
};
struct SetPaused {
    bool paused;
};
/// Pauses, then takes one step: of dt, or back by −dt.
struct SingleStep {
    bool back = false;
};
/// Time runs backward from the next step on. Leapfrog is time-reversible: it retraces its own steps, up to rounding.
struct SetReversed {
    bool reversed;
};
struct SetDt {
    double dt;
    friend bool operator==(const SetDt&, const SetDt&) = default;
};
/// The integrator from the next step on; `adaptive` as Scene::adaptive. What is not given stays.
struct SetIntegrator {
    std::optional<std::string> id;
    std::optional<double> adaptive;
    friend bool operator==(const SetIntegrator&, const SetIntegrator&) = default;
};
/// Changes the bodies by hand, at the end of the step under way.
struct EditBodies {
    Edit edit;
    friend bool operator==(const EditBodies&, const EditBodies&) = default;
};
/// Back to the state before the last edit, or before the scene that was loaded last; what is present can be redone.
struct Undo {
    friend bool operator==(const Undo&, const Undo&) = default;
};
struct Redo {
    friend bool operator==(const Redo&, const Redo&) = default;
};
struct SetSoftening {
    double softening;
    friend bool operator==(const SetSoftening&, const SetSoftening&) = default;
};
/// The law of pairs, with its lengths as Gravity has them.
struct SetLaw {
    PairLaw law;
    double sigma, cut_off;
    friend bool operator==(const SetLaw&, const SetLaw&) = default;
};
/// What bodies do that touch, from the next step on.
struct SetEncounters {
    EncounterRule rule;
    friend bool operator==(const SetEncounters&, const SetEncounters&) = default;
};
/// Maximum number of steps per second, so that small scenes can be watched; 0: no limit.
struct SetSpeed {
    double steps_per_second;
};
/// For recording: every `steps_per_frame` steps one frame is published, and the simulation waits until the window has
/// acknowledged it: no frame is dropped, and simulated time per frame is fixed. 0: off.
struct SetPacing {
    int steps_per_frame;
};
/// Frames carry the cells of the engine's tree, whole levels from the root down and at most this many; 0: none.
struct SetCells {
    std::size_t most;
};
/// What frames carry besides the positions.
struct SetColorBy {
    ColorBy by;
    friend bool operator==(const SetColorBy&, const SetColorBy&) = default;
};
/// The direction of view, away from the eye: only for colours by what moves along it.
struct SetSightLine {
    Vec3d along;
};
/// Frames of few bodies carry where they were between frames, every so many steps; 0: they do not.
struct SetTrails {
    int every;
};
/// Measures error and time of the current tree engine over opening angles and orders, on the current bodies; or stops
/// the measurement.
struct MeasureTheta {
    bool on;
};
/// Writes the present state, at the end of the step under way: a checkpoint where the path ends in .orrery, which any
/// command opens and `run --resume` continues; else a snapshot in the format that its ending names.
struct SaveState {
    enum class By { kPerson, kItself };
    std::string path;
    /// kItself: in the background, without a word, always a checkpoint; at the end of the step under way, which is not
    /// waited for. With an empty path one that has not begun is forgotten.
    By by = By::kPerson;
};
/// Writes every `every` steps a snapshot, beginning with the next end of a step, until another scene is loaded or this
/// comes with an empty pattern: NAME_%04d.EXTENSION, whose extension is the format's.
struct RecordSnapshots {
    std::string pattern = {};
    std::uint64_t every = 0;
};
/// Goes to the snapshot nearest to a moment (see Timeline). With `hold` nothing moves afterwards until a request
/// without it: the user drags a scrub bar. Not while a recording waits for frames.
struct Rewind {
    std::uint64_t moment;
    bool hold;
};
/// Pauses, and goes this many snapshots back (negative) or forward.
struct RewindBy {
    int snapshots;
};
/// Bytes of memory that snapshots may take.
struct SetRewindBudget {
    std::size_t bytes;
};
/// Of a series that is played: goes to this time, or the nearest that it has. `hold` as in Rewind.
struct ShowTime {
    double time;
    bool hold = false;
    friend bool operator==(const ShowTime&, const ShowTime&) = default;
};
/// Of a series that is played: time from one step to the next.
struct SetPlayRate {
    double time_per_step;
    friend bool operator==(const SetPlayRate&, const SetPlayRate&) = default;
};
/// Looks for new snapshots of the series that is played, and goes to each that comes; or no longer.
struct FollowSeries {
    bool on;
};
/// Ends the playing of a series: the simulation goes on from the bodies that are shown.
struct LeaveSeries {
    friend bool operator==(const LeaveSeries&, const LeaveSeries&) = default;
};
/// Inspects these bodies, by index: the results are in Status::inspection and Frame::watched. Null or empty: none.
struct Inspect {
    std::shared_ptr<const std::vector<std::uint32_t>> bodies;
};
/// Makes this plot of the bodies, again and again while they move: Status::analysis. Null: none.
struct WatchAnalysis {
    std::shared_ptr<const AnalysisSettings> settings;
};
/// Frames carry the centre of mass of all bodies.
struct WatchMassCentre {
    bool on;
};
/// Changes the settings of B in a comparison, or starts a comparison from the current state.
struct SetCompare {
    CompareSettings settings;
    friend bool operator==(const SetCompare&, const SetCompare&) = default;
};
struct RestartCompare {  ///< B takes A's state
    friend bool operator==(const RestartCompare&, const RestartCompare&) = default;
};
struct StopCompare {
    friend bool operator==(const StopCompare&, const StopCompare&) = default;
};
/// Frames of B hold the distance of each body from A's; see Comparison::fill().
struct SetDifferences {
    bool on;
};
/// Of a cloud: what of it is in the picture. Without one it does nothing.
struct SetSight {
    CloudSight sight;
};
/// Why an action of a computed scene is refused while a cloud is shown.
inline constexpr std::string_view kCloudIsStill =
    "a cloud is looked at, not computed: open the snapshot that it was made of";
using Action =
    std::variant<LoadScene, SetEngine, SetPaused, SingleStep, SetReversed, SetDt, SetIntegrator, SetSoftening, SetLaw,
                 SetSpeed, SetPacing, SetCells, SetColorBy, SetTrails, MeasureTheta, Rewind, RewindBy, SetRewindBudget,
                 ShowTime, SetPlayRate, FollowSeries, LeaveSeries, Inspect, WatchMassCentre, WatchAnalysis, SetCompare,
                 RestartCompare, StopCompare, SetDifferences, EditBodies, Undo, Redo, SaveState, SetEncounters,
                 SetSight, SetSightLine, RecordSnapshots>;

/// Those that change what is computed, and so what a repeated recording has to repeat.
using ComputedAction =
    std::variant<LoadScene, SetEngine, SetDt, SetIntegrator, SetSoftening, SetLaw, SetColorBy, ShowTime, SetPlayRate,
                 LeaveSeries, SetCompare, RestartCompare, StopCompare, EditBodies, Undo, Redo, SetEncounters>;

}  // namespace orrery
