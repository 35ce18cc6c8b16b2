// SPDX-License-Identifier: MIT
#include "core/live/status.hpp"

#include <fmt/format.h>

#include <cmath>

#include "core/physics/units.hpp"

namespace orrery {

std::optional<Conservation> Status::conservation() const {
    if (!energy_now || !energy_start) return std::nullopt;
    return conserved(*energy_start, *energy_now, taken_between(energy_met_start, energy_met));
}

std::optional<double> Status::energy_drift() const {
    const auto found = conservation();
    return found && energy_start->total() != 0 ? std::optional{found->energy} : std::nullopt;
}

std::optional<double> Status::momentum_drift() const { return structure.momentum_drift(); }

std::string play_rate_text(const Status& status, double time_per_step) {
    const double time = time_per_step * status.speed_limit;
    const bool expands = status.scale_factor > 0 && status.scale_factor == status.time;
    return expands ? fmt::format("Δa = {:.3g}", time) : duration_text(time, status.days_per_time);
}

}  // namespace orrery
