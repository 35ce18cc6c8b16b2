// SPDX-License-Identifier: MIT
#include "app/commands/session_player.hpp"

#include <fmt/format.h>

#include <cstdio>

#include "app/render/color_modes.hpp"
#include "core/base/error.hpp"

namespace orrery {

void SessionPlayer::draw(std::uint64_t number, ComparedRun& run, Filming& filming) {
    const auto& events = session_.events;
    std::size_t end = next_;
    while (end < events.size() && events[end].picture == number && !events[end].end) ++end;
    for (std::size_t i = next_; i < end; ++i) {
        if (events[i].pose) pose_ = *events[i].pose;
        if (events[i].view) filming.set_view(*events[i].view);
        if (events[i].seen) run.view = *events[i].seen;
    }
    filming.draw(run, pose_);
    for (; next_ < end; ++next_) {
        try {
            act(events[next_], run);
        } catch (const Error& refused) {  // as it was in the window, which went on
            fmt::print(stderr, "orrery: frame {}: {}\n", number, refused.what());
        }
    }
}

void SessionPlayer::act(const SessionEvent& event, ComparedRun& run) {
    Simulation& simulation = run.simulation;
    if (event.scene) {
        Simulation loaded{open_scene(*event.scene), event.engine.value_or(simulation.engine_config())};
        loaded.set_color_by(simulation.color_by());
        simulation = std::move(loaded);
        run.comparison.scene_changed(simulation);
    } else if (event.engine) {
        simulation.set_engine(*event.engine);
    }
    if (event.dt) simulation.set_dt(*event.dt);
    if (event.integrator || event.adaptive)
        simulation.set_integrator(event.integrator.value_or(std::string{simulation.integrator_entry().id}),
                                  event.adaptive.value_or(simulation.adaptive()));
    if (event.softening) {
        Gravity gravity = simulation.gravity();
        gravity.softening = *event.softening;
        simulation.set_gravity(gravity);
    }
    if (event.color_mode) {
        const ColorBy by = color_mode(*event.color_mode).by;
        simulation.set_color_by(by);
        run.comparison.set_color_by(by);
    }
    if (event.compare) run.comparison.set(*event.compare);
    if (event.compare_restart) run.comparison.restart();
    if (event.compare_end) run.comparison.stop();
}

}  // namespace orrery
