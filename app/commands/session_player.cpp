// SPDX-License-Identifier: MIT
#include "app/commands/session_player.hpp"

#include <fmt/format.h>

#include <cstdio>

#include "core/base/error.hpp"

namespace orrery {

const Image& SessionPlayer::picture(std::uint64_t number, Simulation& simulation, Filming& filming) {
    const auto& events = session_.events;
    std::size_t end = next_;
    while (end < events.size() && events[end].picture == number && !events[end].end) ++end;
    for (std::size_t i = next_; i < end; ++i) {
        if (events[i].pose) pose_ = *events[i].pose;
        if (events[i].view) filming.set_view(*events[i].view);
    }
    const Image& image = filming.next(simulation, pose_);
    for (; next_ < end; ++next_) {
        try {
            act(events[next_], simulation);
        } catch (const Error& refused) {  // as it was in the window, which went on
            fmt::print(stderr, "orrery: picture {}: {}\n", number, refused.what());
        }
    }
    return image;
}

void SessionPlayer::act(const SessionEvent& event, Simulation& simulation) {
    if (event.scene)
        simulation = Simulation{open_scene(*event.scene), event.engine.value_or(simulation.engine_config())};
    else if (event.engine)
        simulation.set_engine(*event.engine);
    if (event.dt) simulation.set_dt(*event.dt);
    if (event.integrator || event.adaptive)
        simulation.set_integrator(event.integrator.value_or(std::string{simulation.integrator_entry().id}),
                                  event.adaptive.value_or(simulation.adaptive()));
    if (event.softening) {
        Gravity gravity = simulation.gravity();
        gravity.softening = *event.softening;
        simulation.set_gravity(gravity);
    }
}

}  // namespace orrery
