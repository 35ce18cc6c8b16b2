// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/engines/config.hpp"
#include "core/live/timing.hpp"

namespace orrery {

/// Settings of B, the second simulation of a comparison. Everything else is taken from A.
struct CompareSettings {
    static constexpr int kMostPower = 6;
    EngineConfig engine;
    double softening = 0;  ///< Plummer ε, a length
    /// A step of B is 2^dt_power steps of A long, or where A is played 2^dt_power dt at most: −kMostPower to
    /// kMostPower.
    int dt_power = 0;
    friend bool operator==(const CompareSettings&, const CompareSettings&) = default;
};

/// Distances of B's bodies from A's, in the scene's unit of length.
struct Divergence {
    double rms = 0, max = 0;
    std::size_t body = 0;  ///< the one with the largest distance
};

struct DivergencePoint {
    double time;  ///< of the scene
    double rms, max;
};
struct EnergyPoint {
    double time;   ///< of the scene
    double drift;  ///< (E − E₀) / |E₀|, E₀ at the beginning of the comparison
};

/// State of a comparison. A's own numbers are in Status.
struct CompareStatus {
    std::optional<CompareSettings> wanted;  ///< current, or about to start
    bool on = false;                        ///< there is a B
    bool of_series = false;                 ///< A is played from its files, B computed
    CompareSettings settings;               ///< current
    std::uint64_t serial = 0;               ///< grows by one with each beginning
    std::string engine_choice;
    Timing force;         ///< of B
    double progress = 0;  ///< of B's evaluation under way
    double time = 0;      ///< of B
    std::optional<Divergence> divergence;
    // Since the beginning; thinned out as they grow, so that they always span the whole time.
    std::vector<DivergencePoint> history;
    std::vector<EnergyPoint> energy_a, energy_b;
};

}  // namespace orrery
