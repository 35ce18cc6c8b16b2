// SPDX-License-Identifier: MIT
#pragma once
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "core/diagnostics/structure.hpp"

namespace orrery {

/// What was last known of how the bodies lie, and how old that is.
struct StructureStatus {
    std::shared_ptr<const Structure> now, start;    ///< null: not yet; start: the first one of the scene
    std::uint64_t serial = 0;                       ///< grows by one with each
    std::int64_t step = 0;                          ///< of the state that `now` is of
    double time = 0;                                ///< likewise, of the scene
    std::chrono::steady_clock::time_point taken{};  ///< when that state was there
    double seconds = 0;                             ///< that one took of each core, copy of the state included
    double period = 0;                              ///< seconds from one to the next at least: 5 % of the time is spent
    std::string note;                               ///< why there is none, one line

    /// |P − P₀| / Σ m|v|
    std::optional<double> momentum_drift() const;
    /// |L − L₀| / Σ m|x × v|, about the origin
    std::optional<double> angular_momentum_drift() const;
    /// |x − x₀ − v₀ (t − t₀)|, a length: how far the mass centre has left its straight way
    std::optional<double> centre_drift() const;
    double start_time = 0;  ///< of `start`, of the scene
};

}  // namespace orrery
