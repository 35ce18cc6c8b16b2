// SPDX-License-Identifier: MIT
#pragma once
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "core/analysis/structure.hpp"
#include "core/encounters/encounters.hpp"

namespace orrery {

/// The latest structure analysis, and the state it belongs to.
struct StructureStatus {
    std::shared_ptr<const Structure> now, start;    ///< null: not yet; start: the first one of the scene
    std::uint64_t serial = 0;                       ///< incremented with each analysis
    std::int64_t step = 0;                          ///< step of `now`
    double time = 0;                                ///< scene time of `now`
    std::chrono::steady_clock::time_point taken{};  ///< wall time of that state
    double seconds = 0;  ///< time that one took on each core, including the copy of the state
    double period = 0;   ///< minimum seconds between two, so that they take 5 % of the time
    std::string note;    ///< why there is none, one line

    /// |P − P₀| over the larger Σ m|v| of both states
    std::optional<double> momentum_drift() const;
    /// |L − L₀| over the larger Σ m|x × v| of both states, about the origin, excluding the effect of encounters
    std::optional<double> angular_momentum_drift() const;
    /// |x − x₀ − v₀ (t − t₀)|, a length: deviation of the centre of mass from uniform motion
    std::optional<double> centre_drift() const;
    double start_time = 0;           ///< scene time of `start`
    EncounterLedger met, start_met;  ///< of the states `now` and `start`
};

}  // namespace orrery
