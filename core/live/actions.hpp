// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "core/bodies/color_by.hpp"
#include "core/engines/config.hpp"
#include "core/live/compare_status.hpp"
#include "core/simulation/scene_request.hpp"

namespace orrery {

// What a person can ask of a running simulation. Values, applied in order between two slices.
struct LoadScene {
    SceneRequest request;
    std::optional<EngineConfig> engine = {};  ///< from the first force on; empty: the one in force
    std::optional<double> speed = {};         ///< as SetSpeed; empty: 60 frames' worth of steps
};
struct SetEngine {
    EngineConfig config;
};
struct SetPaused {
    bool paused;
};
/// Pauses, then takes one step: of dt, or back by −dt.
struct SingleStep {
    bool back = false;
};
/// Time runs backward from the next step on. Leapfrog is symmetric: it takes its own steps back, up to rounding.
struct SetReversed {
    bool reversed;
};
struct SetDt {
    double dt;
};
/// How steps are made, from the next one on; `adaptive` as Scene::adaptive.
struct SetIntegrator {
    std::string id;
    double adaptive = 0;
};
struct SetSoftening {
    double softening;
};
/// Steps per second that the simulation does not exceed, so that small scenes can be watched; 0: as fast as it can.
struct SetSpeed {
    double steps_per_second;
};
/// For recording: every `steps_per_frame` steps one frame is published, and the simulation waits until the window has
/// acknowledged it: no frame is dropped, and simulated time per frame is fixed. 0: off.
struct SetPacing {
    int steps_per_frame;
};
/// Frames carry the cells of the engine's tree, whole levels from the root downward and at most so many; 0: none.
struct SetCells {
    std::size_t most;
};
/// What frames carry beside the positions.
struct SetColorBy {
    ColorBy by;
};
/// Measures error and time of the tree engine in force, on the present bodies, over opening angles and orders; or stops
/// that.
struct MeasureTheta {
    bool on;
};
/// Goes to the snapshot nearest to a moment (see Timeline). Nothing moves after it until one comes that does not hold:
/// a hand on a scrub bar. Not while a recording waits for frames.
struct Rewind {
    std::uint64_t moment;
    bool hold;
};
/// Pauses, and goes so many snapshots back (negative) or forth.
struct RewindBy {
    int snapshots;
};
/// Bytes of memory that snapshots may take.
struct SetRewindBudget {
    std::size_t bytes;
};
/// Looks at these bodies, by index: Status::inspection and Frame::watched say what is seen. Null or empty: at nobody.
struct Inspect {
    std::shared_ptr<const std::vector<std::uint32_t>> bodies;
};
/// Frames carry the centre of mass of all bodies.
struct WatchMassCentre {
    bool on;
};
/// Changes how B of a comparison goes on, or begins a comparison from the present state.
struct SetCompare {
    CompareSettings settings;
};
struct RestartCompare {};  ///< B takes A's state
struct StopCompare {};
/// Frames of B say how far each body is from A's; see Comparison::fill().
struct SetDifferences {
    bool on;
};
using Action =
    std::variant<LoadScene, SetEngine, SetPaused, SingleStep, SetReversed, SetDt, SetIntegrator, SetSoftening, SetSpeed,
                 SetPacing, SetCells, SetColorBy, MeasureTheta, Rewind, RewindBy, SetRewindBudget, Inspect,
                 WatchMassCentre, SetCompare, RestartCompare, StopCompare, SetDifferences>;

}  // namespace orrery
