// SPDX-License-Identifier: MIT
#pragma once
#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "core/live/status.hpp"
#include "core/plot/plot.hpp"

namespace orrery {

/// A sample of the window's history, for plots.
struct HistorySample {
    double seconds = 0;              ///< of wall time, since the start of the window
    double frame_ms = 0;             ///< the longest frame since the previous sample
    double ui_ms = 0;                ///< CPU time of the window's thread for panels and overlays, median
    std::optional<double> force_ms;  ///< median time of one evaluation; empty while unknown
    std::optional<double> energy, momentum,
        error;        ///< magnitudes of Status::energy_drift(), momentum_drift(), error->rms
    double time = 0;  ///< of the scene
    std::uint64_t scene_serial = 0;
};

/// Samples of the last minutes, four per second.
class History {
public:
    static constexpr double kPeriod = 0.25, kSpan = 300;  // seconds
    /// Call it once per frame. Times in milliseconds.
    void add(double seconds, double frame_ms, double ui_ms, const Status& status);
    const std::deque<HistorySample>& samples() const { return samples_; }

private:
    std::deque<HistorySample> samples_;
    double longest_ms_ = 0;
};

/// "Times" of the last minutes, and "Errors" since the current scene began.
std::vector<PlotPanel> history_plots(const History& history);
/// All samples as CSV with a header; unknown values are empty.
std::string history_csv(const History& history);

}  // namespace orrery
