// SPDX-License-Identifier: MIT
#pragma once
#include <chrono>
#include <cstdint>
#include <ratio>

namespace orrery {

enum class ClockKind {
    kWall,
    kSteps,  ///< a 60th of a second per frame, however long that takes
};

/// The time of all that moves by itself in the window: camera, held keys, messages, attract mode, ImGui. By steps a
/// script finds the same states on a busy machine as on an idle one. Measurements read std::chrono::steady_clock.
class WindowClock {
public:
    using Clock = std::chrono::steady_clock;
    using TimePoint = Clock::time_point;

    explicit WindowClock(ClockKind kind = ClockKind::kWall) : kind_{kind} {}

    ClockKind kind() const { return kind_; }
    /// Call it once, when a frame begins.
    void tick() {
        ++frames_;
        const TimePoint before = last_;
        last_ = now();
        if (frames_.count() > 1) frame_seconds_ = std::chrono::duration<double>(last_ - before).count();
    }
    TimePoint now() const {
        return kind_ == ClockKind::kWall ? Clock::now() : start_ + std::chrono::duration_cast<Clock::duration>(frames_);
    }
    double seconds() const { return std::chrono::duration<double>(now() - start_).count(); }  ///< since construction
    double frame_seconds() const { return frame_seconds_; }  ///< from the frame before to this one

private:
    using Frames = std::chrono::duration<std::int64_t, std::ratio<1, 60>>;

    ClockKind kind_;
    TimePoint start_ = Clock::now(), last_ = start_;
    Frames frames_{0};
    double frame_seconds_ = 1.0 / 60;
};

}  // namespace orrery
