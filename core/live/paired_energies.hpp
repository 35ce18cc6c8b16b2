// SPDX-License-Identifier: MIT
#pragma once
#include <chrono>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/diagnostics/background.hpp"
#include "core/live/compare_status.hpp"
#include "core/live/thinned_series.hpp"

namespace orrery {

class Simulation;
struct Status;

/// Relative energy change of one side of a comparison since the common initial state. Uses the energies measured by an
/// EnergyMonitor, and measures the initial state itself, because the watch measures only occasionally.
class EnergyCurve {
public:
    /// Starts with the state of a simulation at the end of a step, under this gravity. Does not wait.
    void restart(const Simulation& simulation, const Gravity& gravity);
    /// Takes a new energy from `status`, if it was measured after the start.
    void take(const Status& status);
    /// Points from the initial state on; empty until its energy is known, or if it is 0.
    std::vector<EnergyPoint> points() const;

private:
    struct Total {
        double time, energy;
    };
    std::optional<BackgroundDiagnostics> first_;  // owns a thread; created by the first comparison
    std::uint64_t serial_ = 0;
    double begun_ = 0;  // scene time
    std::chrono::steady_clock::time_point begun_at_{};
    std::optional<double> energy_;  // of the initial state
    double taken_ = 0;              // by encounters before it
    std::optional<double> last_;    // scene time of the last energy
    ThinnedSeries<Total> totals_;
};

}  // namespace orrery
