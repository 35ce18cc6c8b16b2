// SPDX-License-Identifier: MIT
#pragma once
#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>
#include <variant>
#include <vector>

#include "core/base/triple_buffer.hpp"
#include "core/bodies/frame.hpp"
#include "core/diagnostics/diagnostics.hpp"
#include "core/diagnostics/theta_sweep.hpp"
#include "core/scene_request.hpp"
#include "core/simulation.hpp"
#include "core/timing.hpp"

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

/// What the simulation says of itself. Published after each action, step and slice; cheap to copy.
struct Status {
    std::string scene_id, scene_label;
    std::size_t bodies = 0;
    EngineConfig engine;         ///< in force now
    std::string engine_choice;   ///< what the engine chose by itself
    EngineReport engine_report;  ///< of the last evaluation by this engine; empty until there is one
    Gravity gravity;
    double dt = 0, time = 0, days_per_time = 0;
    std::uint64_t step = 0;
    std::uint64_t scene_serial = 0;  ///< grows by one with each scene loaded
    std::uint64_t actions_done = 0;  ///< of those sent, how many were applied or refused
    int steps_per_frame = 1;         ///< the scene's recommendation for recordings
    bool paused = false;
    bool loading = false;  ///< a scene is being opened
    double speed_limit = 0, steps_per_second = 0;
    double force_progress = 0;  ///< 0 … 1 of the evaluation under way; of interest when a step takes long
    Timing force;
    double pairs_per_second = 0;  ///< N² / median force time
    std::optional<ForceError> error;
    std::optional<double> net_force;  ///< |Σ m·a| / Σ|m·a|, measured with `error`: 0 where Newton's third law holds
    std::optional<Diagnostics> energy_now, energy_start;
    ThetaSweep theta_sweep;   ///< as far as it has come
    std::string energy_note;  ///< why there is no energy, when there is none
    std::string message;      ///< the last refusal or failure, one line; empty when all is well
    std::uint64_t message_serial = 0;

    /// (E − E₀) / |E₀|
    std::optional<double> energy_drift() const;
    /// |P − P₀| / Σ m|v|
    std::optional<double> momentum_drift() const;
};

/// A Simulation on a thread of its own. The window sends actions and takes frames; it never waits for a force.
class SimulationThread {
public:
    /// Throws what the Simulation throws for this scene and engine.
    SimulationThread(const SceneRequest& request, const EngineConfig& engine);
    SimulationThread(const SimulationThread&) = delete;
    SimulationThread& operator=(const SimulationThread&) = delete;
    ~SimulationThread();

    void send(Action action);
    bool update_frame() { return frames_.update(); }        ///< whether frame() is new since the last call
    const Frame& frame() const { return frames_.front(); }  ///< stays valid until the next update_frame()
    void acknowledge_frame();                               ///< under SetPacing: go on to the next frame
    Status status() const;

private:
    class Worker;
    TripleBuffer<Frame> frames_;
    std::unique_ptr<Worker> worker_;
};

}  // namespace orrery
