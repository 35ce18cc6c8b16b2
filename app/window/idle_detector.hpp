// SPDX-License-Identifier: MIT
#pragma once
#include <chrono>
#include <cstdint>
#include <tuple>

#include "core/live/status.hpp"

namespace orrery {

/// Whether the window may wait for an event instead of drawing the same picture again.
class Rest {
public:
    using Clock = std::chrono::steady_clock;
    static constexpr double kLook = 0.25;  ///< s between two looks at a simulation that rests

    /// After each frame. `moving`: something besides the simulation changes by itself.
    void after_frame(bool moving, const Status& status) {
        ++still_frames_;
        if (differs(status) || moving) moved();
    }
    void moved() { moved_ = Clock::now(), still_frames_ = 0; }
    /// Nothing has changed for so long, and in so many frames, that what fades and settles has done so.
    bool due() const { return still_frames_ > kStillFrames && Clock::now() - moved_ > kSettled; }
    /// Whether there is something new to see in what the simulation says.
    bool differs(const Status& status) {
        const Seen now{status.step,
                       status.scene_serial,
                       status.message_serial,
                       status.actions_done,
                       status.force_progress,
                       status.energy_taken,
                       status.theta_sweep.points.size(),
                       status.theta_sweep.running,
                       status.error.has_value(),
                       status.structure.serial,
                       status.timeline.held,
                       status.loading};
        if (now == seen_) return false;
        seen_ = now;
        return true;
    }

private:
    static constexpr std::chrono::milliseconds kSettled{1000};
    static constexpr int kStillFrames = 60;
    using Seen = std::tuple<std::int64_t, std::uint64_t, std::uint64_t, std::uint64_t, double, Clock::time_point,
                            std::size_t, bool, bool, std::uint64_t, bool, bool>;
    Seen seen_{};
    int still_frames_ = 0;
    Clock::time_point moved_ = Clock::now();
};

}  // namespace orrery
