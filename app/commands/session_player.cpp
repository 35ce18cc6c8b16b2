// SPDX-License-Identifier: MIT
#include "app/commands/session_player.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <variant>

#include "core/base/error.hpp"
#include "core/base/standard_streams.hpp"

namespace orrery {
void SessionPlayer::draw(std::uint64_t number, ComparedRun& run, FrameRenderer& renderer) {
    const auto& events = session_.events;
    std::size_t end = next_;
    while (end < events.size() && events[end].picture == number && !events[end].end) ++end;
    for (std::size_t i = next_; i < end; ++i) {
        if (events[i].pose) pose_ = *events[i].pose;
        if (events[i].view) renderer.set_view(*events[i].view);
        if (events[i].seen) run.view = *events[i].seen;
    }
    renderer.draw(run, pose_);
    for (; next_ < end; ++next_) {
        try {
            for (const ComputedAction& action : events[next_].actions)
                std::visit([&](const auto& wish) { run.apply(wish); }, action);
        } catch (const Error& refused) {
            const auto loads = [](const ComputedAction& action) { return std::holds_alternative<LoadScene>(action); };
            if (std::ranges::any_of(events[next_].actions, loads))
                throw Error{refused.blame(), fmt::format("frame {}: {}", number, refused.what())};
            // As in the window, which continued.
            to_stderr("orrery: frame {}: {}\n", number, refused.what());
        }
    }
}

}  // namespace orrery
