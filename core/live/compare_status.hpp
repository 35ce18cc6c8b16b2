// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/engines/config.hpp"
#include "core/live/timing.hpp"

namespace orrery {

/// Settings of B, the second simulation of a comparison. All other settings are A's.
struct CompareSettings {
    static constexpr int kMostPower = 6;
    EngineConfig engine;
    double softening = 0;  ///< Plummer ε, a length
    /// B's step is 2^dt_power steps of A, or at most 2^dt_power dt if A is played; −kMostPower to kMostPower.
    int dt_power = 0;
    friend bool operator==(const CompareSettings&, const CompareSettings&) = default;
};

/// Distances of B's bodies from A's, in the scene's unit of length.
struct Divergence {
    double rms = 0, max = 0;
    std::size_t body = 0;  ///< the body with the largest distance
};

struct DivergencePoint {
    double time;  ///< scene time
    double rms, max;
};
struct EnergyPoint {
    double time;   ///< scene time
    double drift;  ///< (E − E₀) / |E₀|; E₀ at the start of the comparison
};

/// State of a comparison. A's own numbers are in Status.
struct CompareStatus {
    std::optional<CompareSettings> wanted;  ///< current, or about to start
    bool on = false;                        ///< B exists
    bool of_series = false;                 ///< A is played from files, B is computed
    CompareSettings settings;               ///< current
    std::uint64_t serial = 0;               ///< incremented with each start
    std::string engine_choice;
    Timing force;         ///< of B
    double progress = 0;  ///< of B's current evaluation
    double time = 0;      ///< of B
    std::optional<Divergence> divergence;
    // Since the start; thinned out so that they always span the whole time.
    std::vector<DivergencePoint> history;
    std::vector<EnergyPoint> energy_a, energy_b;
};

}  // namespace orrery
