// SPDX-License-Identifier: MIT
#pragma once
#include <chrono>

#include "app/window/ui_state.hpp"
#include "core/base/clock.hpp"

namespace orrery {

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

}  // namespace orrery
