// SPDX-License-Identifier: MIT
#include "core/live/status.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/physics/units.hpp"

namespace orrery {

std::optional<Conservation> EnergyStatus::conservation() const {
    if (!now || !start) return std::nullopt;
    return conserved(*start, *now, taken_between(start_met, met));
}

std::optional<double> EnergyStatus::drift() const {
    const auto found = conservation();
    return found && start->total() != 0 ? std::optional{found->energy} : std::nullopt;
}

std::optional<double> StructureStatus::momentum_drift() const {
    if (!now) return std::nullopt;
    return orrery::momentum_drift(start->motion, now->motion, taken_between(start_met, met));
}

std::optional<double> StructureStatus::angular_momentum_drift() const {
    if (!now) return std::nullopt;
    const double scale = std::max(now->motion.angular_scale, start->motion.angular_scale);
    if (scale == 0) return std::nullopt;
    const Vec3d booked = met.angular_momentum - start_met.angular_momentum;
    return length(now->motion.angular_momentum + booked - start->motion.angular_momentum) / scale;
}

std::optional<double> StructureStatus::centre_drift() const {
    if (!now || start->motion.mass == 0) return std::nullopt;
    const Motion& first = start->motion;
    const Vec3d way = (time - start_time) / first.mass * first.momentum;
    return length(now->motion.centre_of_mass - first.centre_of_mass - way);
}

std::string play_rate_text(const Status& status, double time_per_step) {
    const double time = time_per_step * status.pace.speed_limit;
    const bool expands = status.scene.scale_factor > 0 && status.scene.scale_factor == status.time;
    return expands ? fmt::format("Δa = {:.3g}", time) : duration_text(time, status.scene.days_per_time);
}

}  // namespace orrery
