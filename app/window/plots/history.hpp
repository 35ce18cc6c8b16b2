// SPDX-License-Identifier: MIT
#pragma once
#include <chrono>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/analysis/columns.hpp"
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
        error;        ///< magnitudes of Status::energy::drift(), momentum_drift(), error->rms
    double time = 0;  ///< of the scene
    std::uint64_t scene_serial = 0;
};

std::optional<double> magnitude(std::optional<double> value);  ///< without its sign, if it is known

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

/// Diagnostics of one state of the current scene: its structure, its energy, or both.
struct DiagnosticsSample {
    std::int64_t step = 0;
    double time = 0;  ///< of the scene
    std::shared_ptr<const Structure> structure;
    std::optional<double> momentum_drift, angular_drift, centre_drift;  ///< as in StructureStatus
    std::optional<Diagnostics> energy;
    std::optional<double> energy_drift;  ///< as in Status
};

/// Samples since the beginning of the scene, in order of steps; every other one is dropped when there are many. Samples
/// after the current state are discarded when time is rewound or runs backward.
class DiagnosticsHistory {
public:
    static constexpr std::size_t kMost = 2000;
    /// Adds new samples. Call it once per frame.
    void add(const Status& status);
    const std::vector<DiagnosticsSample>& samples() const { return samples_; }

private:
    DiagnosticsSample& at_step(std::int64_t step, double time);

    std::vector<DiagnosticsSample> samples_;
    std::uint64_t scene_ = 0, structure_ = 0;
    std::chrono::steady_clock::time_point energy_{};
};

/// All samples, in the scene's units: the columns of `run --diagnostics`, and the drifts.
NumberTable diagnostics_table(const DiagnosticsHistory& history);
/// The same as CSV with a header; unknown values are empty.
std::string diagnostics_csv(const DiagnosticsHistory& history);

}  // namespace orrery
