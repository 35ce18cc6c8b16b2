// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>

#include "app/commands/filming.hpp"
#include "app/scene/session.hpp"

namespace orrery {

/// Repeats the user's actions during a recording of the window.
class SessionPlayer {
public:
    explicit SessionPlayer(const Session& session) : session_{session} {}

    /// Draws this frame with its camera and settings, and repeats the actions after it.
    void draw(std::uint64_t number, ComparedRun& run, Filming& filming);

private:
    const Session& session_;
    std::size_t next_ = 0;  // of the events
    CameraPose pose_;
};

}  // namespace orrery
