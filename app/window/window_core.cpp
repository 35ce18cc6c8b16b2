// SPDX-License-Identifier: MIT
#include "app/window/window_core.hpp"

#include <utility>

#include "core/ranks/process_ranks.hpp"

namespace orrery {
SimulationLink::SimulationLink(const SceneRequest& request, const EngineConfig& engine, bool look_first)
    : start_{std::async(std::launch::async,
                        [request, engine, look_first] {
                            return std::make_unique<SimulationThread>(request, engine, process_ranks(), look_first);
                        })},
      expected_{.engine = engine, .compare = {}, .request = request} {
    status_.engine.config = engine;
}

void SimulationLink::poll() {
    if (!ready()) {
        if (start_.wait_for(std::chrono::seconds{0}) != std::future_status::ready) return;
        thread_ = start_.get();
        for (Action& action : std::exchange(waiting_, {})) thread_->send(std::move(action));
    }
    status_ = thread_->status();
    if (!settled()) return;
    expected_ = {.paused = status_.pace.paused,
                 .reversed = status_.pace.reversed,
                 .speed_limit = status_.pace.speed_limit,
                 .play_rate = status_.source.series.rate,
                 .engine = status_.engine.config,
                 .compare = status_.compare.wanted,
                 .request = status_.scene.request};  // drops requests that were refused
}

void SimulationLink::send(Action action) {
    expect(expected_, action);
    ++sent_;
    if (ready())
        thread_->send(std::move(action));
    else
        waiting_.push_back(std::move(action));
}

}  // namespace orrery
