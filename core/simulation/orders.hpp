// SPDX-License-Identifier: MIT
// Measures the order of integrators: slope of the error over the step length.
#pragma once
#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "core/integrators/integrators.hpp"

namespace orrery {

struct OrderPoint {
    int steps;  ///< per period
    double error;
};
struct OrderRow {
    IntegratorEntry integrator;
    std::vector<OrderPoint> points;  ///< ascending steps
    double measured;                 ///< slope between the last two points above the rounding floor

    bool pass() const;  ///< false for NaN
};

/// Integrates two equal bodies on an ellipse of eccentricity 0.5, in double. The error is the distance of one body from
/// its starting point after a period, in semi-major axes of the relative orbit. Calls progress(done, total) before each
/// integrator.
std::vector<OrderRow> measure_orders(const std::function<void(std::size_t, std::size_t)>& progress = {});

/// SVG plot of error over number of steps for all integrators, on logarithmic axes.
std::string plot_orders(const std::vector<OrderRow>& rows);

}  // namespace orrery
