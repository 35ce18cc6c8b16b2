// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/analysis/columns.hpp"
#include "core/live/status.hpp"

namespace orrery {

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
