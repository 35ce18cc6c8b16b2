// SPDX-License-Identifier: MIT
#include "core/live/status.hpp"

#include <cmath>

namespace orrery {

std::optional<double> Status::energy_drift() const {
    if (!energy_now || !energy_start || energy_start->total() == 0) return std::nullopt;
    const double booked = energy_met.energy - energy_met_start.energy;
    return (energy_now->total() + booked - energy_start->total()) / std::abs(energy_start->total());
}

std::optional<double> Status::momentum_drift() const { return structure.momentum_drift(); }

}  // namespace orrery
