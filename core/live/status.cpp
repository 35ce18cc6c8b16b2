// SPDX-License-Identifier: MIT
#include "core/live/status.hpp"

#include <cmath>

namespace orrery {

std::optional<double> Status::energy_drift() const {
    if (!energy_now || !energy_start || energy_start->total() == 0) return std::nullopt;
    return (energy_now->total() - energy_start->total()) / std::abs(energy_start->total());
}

std::optional<double> Status::momentum_drift() const { return structure.momentum_drift(); }

}  // namespace orrery
