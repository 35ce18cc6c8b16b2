// SPDX-License-Identifier: MIT
#pragma once
#include <chrono>
#include <cstdint>
#include <tuple>

#include "core/live/status.hpp"

namespace orrery {

/// Decides whether the window may wait for an event instead of drawing the same picture again.
class IdleDetector {
public:
    using Clock = std::chrono::steady_clock;
    static constexpr double kPollInterval = 0.25;  ///< s between two polls of an idle simulation

    /// After each frame. `moving`: something besides the simulation changes by itself.
    void after_frame(bool moving, const Status& status) {
        ++still_frames_;
        if (differs(status) || moving) moved();
    }
    void moved() { moved_ = Clock::now(), still_frames_ = 0; }
    /// True if nothing has changed for long enough, and for enough frames, for fades and transitions to end.
    bool due() const { return still_frames_ > kStillFrames && Clock::now() - moved_ > kSettled; }
    /// True if the status contains anything new to show.
    bool differs(const Status& status) {
        const Seen now{status.step,
                       status.scene.serial,
                       status.message.serial,
                       status.actions_done,
                       status.force.progress,
                       status.energy.taken,
                       status.force.theta_sweep.points.size(),
                       status.force.theta_sweep.running,
                       status.force.error.has_value(),
                       status.structure.serial,
                       status.timeline.held,
                       status.scene.loading};
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
