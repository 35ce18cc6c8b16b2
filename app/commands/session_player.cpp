// SPDX-License-Identifier: MIT
#include "app/commands/session_player.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <variant>

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
            for (const ComputedAction& action : events[next_].actions)
                std::visit([&](const auto& wish) { run.apply(wish); }, action);
        } catch (const Error& refused) {  // as it was in the window, which went on
            fmt::print(stderr, "orrery: frame {}: {}\n", number, refused.what());
        }
    }
}

}  // namespace orrery
