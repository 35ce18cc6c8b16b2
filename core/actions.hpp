// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <variant>

#include "core/engines/engine.hpp"
#include "core/scene_request.hpp"

namespace orrery {

// What a person can ask of a running simulation. Values, applied in order between two slices.
struct LoadScene {
    SceneRequest request;
};
struct SetEngine {
    EngineConfig config;
};
struct SetPaused {
    bool paused;
};
struct SingleStep {};  ///< pauses, then takes one step
struct SetDt {
    double dt;
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
/// Measures error and time of the tree engine in force, on the present bodies, over opening angles and orders; or stops
/// that.
struct MeasureTheta {
    bool on;
};
using Action = std::variant<LoadScene, SetEngine, SetPaused, SingleStep, SetDt, SetSoftening, SetSpeed, SetPacing,
                            SetCells, MeasureTheta>;

}  // namespace orrery
