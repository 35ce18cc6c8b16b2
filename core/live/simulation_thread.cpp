// SPDX-License-Identifier: MIT
#include "core/live/simulation_thread.hpp"

#include "core/live/simulation_worker.hpp"

namespace orrery {

SimulationThread::SimulationThread(const SceneRequest& request, const EngineConfig& engine, Ranks* ranks,
                                   bool look_first)
    : worker_{std::make_unique<SimulationWorker>(frames_, request, engine, ranks, look_first)} {}
SimulationThread::~SimulationThread() = default;
void SimulationThread::send(Action action) { worker_->send(std::move(action)); }
void SimulationThread::acknowledge_frame() { worker_->acknowledge(); }
Status SimulationThread::status() const { return worker_->status(); }

}  // namespace orrery
