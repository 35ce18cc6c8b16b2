// SPDX-License-Identifier: MIT
// The measured order of an integrator: its error over the step length.
#pragma once
#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "core/integrators/integrators.hpp"

namespace orrery {

struct OrderPoint {
    int steps;  ///< in a period
    double error;
};
struct OrderRow {
    IntegratorEntry integrator;
    std::vector<OrderPoint> points;  ///< steps ascend
    double measured;                 ///< slope between the last two points above the rounding floor

    bool pass() const;  ///< false for NaN
};

/// Two equal bodies on an ellipse of eccentricity 0.5, in double: the distance of one from its starting point after a
/// period, in semi-major axes of the relative orbit. `progress(done, of)` is called before each integrator.
std::vector<OrderRow> measure_orders(const std::function<void(std::size_t, std::size_t)>& progress = {});

/// Error over number of steps for all of them, on logarithmic axes, as SVG.
std::string plot_orders(const std::vector<OrderRow>& rows);

}  // namespace orrery
