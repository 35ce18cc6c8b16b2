// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "core/analysis/background.hpp"
#include "core/bodies/body_copy.hpp"
#include "core/live/compare_status.hpp"
#include "core/live/thinned_series.hpp"

namespace orrery {

class Simulation;

/// A state of one side of a comparison, at the end of a step, whose energy is to be computed.
struct EnergyState {
    explicit EnergyState(const Simulation& simulation);
    /// The simulation's forces act on these bodies instead of its own.
    EnergyState(const Simulation& simulation, const Bodies& bodies);

    std::shared_ptr<const BodyCopy> bodies;  ///< null: EnergyMonitor would not watch it
    std::vector<double> charge;
    Gravity gravity;
    Law law;
    double taken;  ///< energy that encounters have taken so far
};

/// Relative changes of the energies of both sides of a comparison. A sample has the energies of A and B at one time of
/// the scene, so equal runs have equal curves. Computes in the background at intervals; no call waits.
class PairedEnergies {
public:
    /// Starts both curves with these states of this time.
    void restart(double time, EnergyState a, EnergyState b);
    /// Whether another sample may begin now.
    bool due();
    /// Begins a sample; both curves start with it if a force law has changed.
    void take(double time, EnergyState a, EnergyState b);
    void collect();  ///< the sample in progress, if it is done
    /// From the first sample on; empty until its energy is known, or if that is 0.
    std::vector<EnergyPoint> points_a() const { return points(0); }
    std::vector<EnergyPoint> points_b() const { return points(1); }

private:
    static constexpr std::size_t kSides = 2;
    using Energies = std::array<std::optional<double>, kSides>;
    struct Sample {
        double time;
        Energies energies;
    };
    struct Forces {
        Gravity gravity;
        Law law;
        friend bool operator==(const Forces&, const Forces&) = default;
    };
    std::vector<EnergyPoint> points(std::size_t side) const;
    bool in_progress() const { return !waited_for_.empty(); }
    void start(std::size_t side);

    std::unique_ptr<std::array<BackgroundDiagnostics, kSides>> work_;  // threads, from the first comparison on
    std::uint64_t serial_ = 0;
    std::vector<std::size_t> waited_for_;  // sides whose energy of the sample in progress is not there
    Sample sample_{};                      // in progress
    std::array<std::optional<EnergyState>, kSides> states_;  // whose work has not started
    double seconds_ = 0;                                     // that it has taken
    std::array<double, kSides> taken_{};
    std::array<Forces, kSides> forces_{};
    std::optional<Sample> first_;
    ThinnedSeries<Sample> later_;
    std::chrono::steady_clock::time_point next_{};
};

}  // namespace orrery
