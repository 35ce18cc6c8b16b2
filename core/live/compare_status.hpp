// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/engines/config.hpp"
#include "core/live/timing.hpp"

namespace orrery {

/// What B, the second simulation of a comparison, runs with. All else it takes from A.
struct CompareSettings {
    static constexpr int kMostPower = 6;
    EngineConfig engine;
    double softening = 0;  ///< Plummer ε, a length
    int dt_power = 0;      ///< a step of B is 2^dt_power steps of A long: −kMostPower to kMostPower
    friend bool operator==(const CompareSettings&, const CompareSettings&) = default;
};

/// How far B's bodies are from A's, in lengths of the scene.
struct Divergence {
    double rms = 0, max = 0;
    std::size_t body = 0;  ///< the one that is farthest
};

struct DivergencePoint {
    double time;  ///< of the scene
    double rms, max;
};
struct EnergyPoint {
    double time;   ///< of the scene
    double drift;  ///< (E − E₀) / |E₀|, E₀ at the beginning of the comparison
};

/// What a comparison says of itself. A's own numbers are those of Status.
struct CompareStatus {
    std::optional<CompareSettings> wanted;  ///< in force, or about to begin
    bool on = false;                        ///< there is a B
    CompareSettings settings;               ///< in force
    std::uint64_t serial = 0;               ///< grows by one with each beginning
    std::string engine_choice;
    Timing force;         ///< of B
    double progress = 0;  ///< of B's evaluation under way
    double time = 0;      ///< of B
    std::optional<Divergence> divergence;
    // Since the beginning; thinned out when they grow long, so that they always span all of it.
    std::vector<DivergencePoint> history;
    std::vector<EnergyPoint> energy_a, energy_b;
};

}  // namespace orrery
