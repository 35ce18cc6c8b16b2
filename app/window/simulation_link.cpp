// SPDX-License-Identifier: MIT
#include "app/window/simulation_link.hpp"

#include <utility>

#include "core/ranks/process_ranks.hpp"

namespace orrery {
SimulationLink::SimulationLink(const SceneRequest& request, const EngineConfig& engine, bool look_first)
    : start_{std::async(std::launch::async,
                        [request, engine, look_first] {
                            return std::make_unique<SimulationThread>(request, engine, process_ranks(), look_first);
                        })},
      engine_{engine},
      request_{request} {
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
    paused_ = status_.pace.paused;
    reversed_ = status_.pace.reversed;
    speed_limit_ = status_.pace.speed_limit;
    play_rate_ = status_.source.series.rate;
    engine_ = status_.engine.config;
    compare_ = status_.compare.wanted;
    request_ = status_.scene.request;  // drops requests that were refused
}

void SimulationLink::send(Action action) {
    note(action);
    ++sent_;
    if (ready())
        thread_->send(std::move(action));
    else
        waiting_.push_back(std::move(action));
}

void SimulationLink::note(const Action& action) {
    if (const auto* pause = std::get_if<SetPaused>(&action)) paused_ = pause->paused;
    if (std::holds_alternative<SingleStep>(action) || std::holds_alternative<RewindBy>(action)) paused_ = true;
    if (const auto* reverse = std::get_if<SetReversed>(&action)) reversed_ = reverse->reversed;
    if (const auto* speed = std::get_if<SetSpeed>(&action)) speed_limit_ = speed->steps_per_second;
    if (const auto* rate = std::get_if<SetPlayRate>(&action)) play_rate_ = rate->time_per_step;
    if (const auto* engine = std::get_if<SetEngine>(&action)) engine_ = engine->config;
    if (const auto* compare = std::get_if<SetCompare>(&action)) compare_ = compare->settings;
    if (std::holds_alternative<StopCompare>(action)) compare_.reset();
    if (const auto* load = std::get_if<LoadScene>(&action)) {
        request_ = load->request;
        if (load->engine) engine_ = *load->engine;
    }
}

}  // namespace orrery
