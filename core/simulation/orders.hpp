// SPDX-License-Identifier: MIT
// The order of an integrator, seen: its error over the length of its steps.
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
    double measured;                 ///< slope between the last two points that rounding has not reached

    bool pass() const;  ///< false for NaN
};

/// Two equal bodies on an ellipse of eccentricity 0.5, in double: how far one is after a period from where it began,
/// in semi-major axes of the relative orbit. `progress(done, of)` is called before each integrator.
std::vector<OrderRow> measure_orders(const std::function<void(std::size_t, std::size_t)>& progress = {});

/// Error over steps of all of them, logarithms on both axes, as SVG.
std::string plot_orders(const std::vector<OrderRow>& rows);

}  // namespace orrery
