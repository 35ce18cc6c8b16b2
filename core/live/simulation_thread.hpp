// SPDX-License-Identifier: MIT
#pragma once
#include <memory>

#include "core/base/background_job.hpp"
#include "core/bodies/frame.hpp"
#include "core/live/actions.hpp"
#include "core/live/status.hpp"

namespace orrery {

class SimulationWorker;

/// A Simulation on its own thread. The window sends actions and takes frames; it never waits for a force evaluation.
class SimulationThread {
public:
    /// Throws as Simulation does for this scene and engine. `ranks` must have a RankLeader. `look_first` as in
    /// LoadScene.
    SimulationThread(const SceneRequest& request, const EngineConfig& engine, Ranks* ranks = nullptr,
                     bool look_first = false);
    SimulationThread(const SimulationThread&) = delete;
    SimulationThread& operator=(const SimulationThread&) = delete;
    ~SimulationThread();

    void send(Action action);
    bool update_frame() { return frames_.update(); }        ///< true if frame() is new since the last call
    const Frame& frame() const { return frames_.front(); }  ///< valid until the next update_frame()
    void acknowledge_frame();                               ///< under SetPacing: continue to the next frame
    Status status() const;

private:
    TripleBuffer<Frame> frames_;
    std::unique_ptr<SimulationWorker> worker_;
};

}  // namespace orrery
