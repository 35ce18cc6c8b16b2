// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>

#include "app/commands/frame_renderer.hpp"
#include "app/scene/session.hpp"

namespace orrery {

/// Replays the user's actions during a recording of the window.
class SessionPlayer {
public:
    explicit SessionPlayer(const Session& session) : session_{session} {}

    /// Draws this frame with its camera and settings, then repeats the actions after it.
    void draw(std::uint64_t number, ComparedRun& run, FrameRenderer& renderer);

private:
    const Session& session_;
    std::size_t next_ = 0;  // next event
    CameraPose pose_;
};

}  // namespace orrery
