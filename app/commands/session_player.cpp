// SPDX-License-Identifier: MIT
#include "app/commands/session_player.hpp"

#include <fmt/format.h>

#include <cstdio>

#include "app/render/color_modes.hpp"
#include "core/base/error.hpp"

namespace orrery {
namespace {

/// What the event did, in the order in which the window applied it.
std::vector<Action> actions_of(const SessionEvent& event, const Simulation& now) {
    std::vector<Action> actions;
    if (event.scene)
        actions.push_back(LoadScene{*event.scene, event.engine});
    else if (event.engine)
        actions.push_back(SetEngine{*event.engine});
    if (event.dt) actions.push_back(SetDt{*event.dt});
    if (event.integrator || event.adaptive)
        actions.push_back(SetIntegrator{event.integrator.value_or(std::string{now.integrator_entry().id}),
                                        event.adaptive.value_or(now.adaptive())});
    if (event.softening) actions.push_back(SetSoftening{*event.softening});
    if (event.color_mode) actions.push_back(SetColorBy{color_mode(*event.color_mode).by});
    if (event.compare) actions.push_back(SetCompare{*event.compare});
    if (event.compare_restart) actions.push_back(RestartCompare{});
    if (event.compare_end) actions.push_back(StopCompare{});
    return actions;
}

}  // namespace

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
            for (const Action& action : actions_of(events[next_], run.simulation)) run.apply(action);
        } catch (const Error& refused) {  // as it was in the window, which went on
            fmt::print(stderr, "orrery: frame {}: {}\n", number, refused.what());
        }
    }
}

}  // namespace orrery
