// SPDX-License-Identifier: MIT
#pragma once
#include <chrono>
#include <cstdint>
#include <thread>
#include <tuple>

#include "app/window/ui_state.hpp"
#include "core/base/clock.hpp"
#include "core/live/status.hpp"

namespace orrery {

/// Limits a loop to this many iterations per second. Late iterations are not made up for.
class FrameLimiter {
public:
    using Clock = std::chrono::steady_clock;
    explicit FrameLimiter(double per_second)
        : period_{std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(1 / per_second))} {}

    Clock::duration left() const { return next_ + period_ - Clock::now(); }  ///< time that wait() would sleep

    void wait() {
        next_ += period_;
        if (const auto now = Clock::now(); next_ < now)
            next_ = now;
        else
            std::this_thread::sleep_until(next_);
    }

private:
    Clock::duration period_;
    Clock::time_point next_ = Clock::now();
};

/// Cost of a frame of the window: wall time between frames, and CPU time of the window's thread for panels and
/// overlays.
class FrameMeter {
public:
    using Clock = std::chrono::steady_clock;

    /// Runs `work` and counts its time as UI time.
    template <class Work>
    void ui(const Work& work) {
        ui_clock_.start();
        work();
        ui_clock_.stop();
    }
    /// Call at the end of a frame; `seconds` by the window's clock.
    void add(UiState& state, double seconds, const Status& status) {
        ui_times_.add(ui_clock_.take());
        state.performance.ui_cpu_ms = 1e3 * ui_times_.timing().median;
        const auto now = Clock::now();
        const double milliseconds = std::chrono::duration<double, std::milli>(now - last_frame_).count();
        last_frame_ = now;
        state.performance.history.add(seconds, milliseconds, state.performance.ui_cpu_ms, status);
        state.plots.diagnostics.add(status);
    }
    /// Frames per second, including this one.
    double rate() { return rate_.add(), rate_.rate(); }
    double seconds() const {
        return std::chrono::duration<double>(Clock::now() - start_).count();
    }  ///< since the start

private:
    const Clock::time_point start_ = Clock::now();
    Clock::time_point last_frame_ = start_;
    ThreadClock ui_clock_;
    TimingWindow ui_times_;
    RateMeter rate_;
};

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
