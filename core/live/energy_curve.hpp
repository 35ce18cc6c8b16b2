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

/// Relative change of the energy of one side of a comparison since a state that both had. Energies are those that an
/// EnergyWatch has measured; that of the first state is measured besides, for the watch looks only now and then.
class EnergyCurve {
public:
    /// Starts with the state of a simulation, which is at the end of a step, under this gravity. No call waits.
    void restart(const Simulation& simulation, const Gravity& gravity);
    /// Takes what is new in `status`, if it was asked for since the beginning.
    void take(const Status& status);
    /// From the first state on; empty until its energy is known, or if that is 0.
    std::vector<EnergyPoint> points() const;

private:
    struct Total {
        double time, energy;
    };
    std::optional<BackgroundDiagnostics> first_;  // a thread, from the first comparison on
    std::uint64_t serial_ = 0;
    double begun_ = 0;  // time of the scene
    std::chrono::steady_clock::time_point begun_at_{};
    std::optional<double> energy_;  // of the first state
    double taken_ = 0;              // by encounters before it
    std::optional<double> last_;    // time of the last energy
    ThinnedSeries<Total> totals_;
};

}  // namespace orrery
