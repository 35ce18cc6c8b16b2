// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>

#include "app/commands/filming.hpp"
#include "app/scene/session.hpp"

namespace orrery {

/// Does again what a person did while the window recorded.
class SessionPlayer {
public:
    explicit SessionPlayer(const Session& session) : session_{session} {}

    /// Draws this picture, with camera and settings as they were, and does what was done after it.
    void draw(std::uint64_t number, ComparedRun& run, Filming& filming);

private:
    const Session& session_;
    std::size_t next_ = 0;  // of the events
    CameraPose pose_;
};

}  // namespace orrery
