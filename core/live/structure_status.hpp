// SPDX-License-Identifier: MIT
#pragma once
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "core/diagnostics/structure.hpp"
#include "core/encounters/encounter.hpp"

namespace orrery {

/// The latest structure analysis, and its age.
struct StructureStatus {
    std::shared_ptr<const Structure> now, start;    ///< null: not yet; start: the first one of the scene
    std::uint64_t serial = 0;                       ///< grows by one with each
    std::int64_t step = 0;                          ///< of the state that `now` is of
    double time = 0;                                ///< likewise, of the scene
    std::chrono::steady_clock::time_point taken{};  ///< wall time of that state
    double seconds = 0;                             ///< that one took on each core, including the copy of the state
    double period = 0;                              ///< minimum seconds between two, so that 5 % of the time is spent
    std::string note;                               ///< why there is none, one line

    /// |P − P₀| by the larger Σ m|v| of both states
    std::optional<double> momentum_drift() const;
    /// |L − L₀| by the larger Σ m|x × v| of both states, about the origin, without what encounters took
    std::optional<double> angular_momentum_drift() const;
    /// |x − x₀ − v₀ (t − t₀)|, a length: deviation of the centre of mass from uniform motion
    std::optional<double> centre_drift() const;
    double start_time = 0;           ///< of `start`, of the scene
    EncounterLedger met, start_met;  ///< of the states of `now` and `start`
};

}  // namespace orrery
