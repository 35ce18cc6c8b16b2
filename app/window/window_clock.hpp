// SPDX-License-Identifier: MIT
#pragma once
#include <chrono>
#include <cstdint>
#include <ratio>

namespace orrery {

enum class ClockKind {
    kWall,
    kSteps,  ///< equal steps, one per frame, however long a frame takes
};

/// The time of everything that moves by itself in the window: camera, held keys, messages, attract mode, ImGui. With
/// kSteps, a script finds the same states on a busy machine as on an idle one. Measurements use
/// std::chrono::steady_clock.
class WindowClock {
public:
    using Clock = std::chrono::steady_clock;
    using TimePoint = Clock::time_point;

    /// `steps`: steps per second, for kSteps.
    explicit WindowClock(ClockKind kind = ClockKind::kWall, int steps = 60) : kind_{kind}, steps_{steps} {}

    ClockKind kind() const { return kind_; }
    /// Call it once, when a frame begins.
    void tick() {
        ++frames_;
        const TimePoint before = last_;
        last_ = now();
        if (frames_ > 1) frame_seconds_ = std::chrono::duration<double>(last_ - before).count();
    }
    TimePoint now() const {
        if (kind_ == ClockKind::kWall) return Clock::now();
        return start_ +
               std::chrono::duration_cast<Clock::duration>(std::chrono::nanoseconds{frames_ * std::nano::den / steps_});
    }
    double seconds() const { return std::chrono::duration<double>(now() - start_).count(); }  ///< since construction
    double frame_seconds() const { return frame_seconds_; }  ///< from the previous frame to this one

private:
    ClockKind kind_;
    int steps_;
    TimePoint start_ = Clock::now(), last_ = start_;
    std::int64_t frames_ = 0;
    double frame_seconds_ = 1.0 / steps_;
};

}  // namespace orrery
