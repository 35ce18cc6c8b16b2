// SPDX-License-Identifier: MIT
#pragma once
#include <vector>

#include "core/bodies/bodies.hpp"

namespace orrery {

/// Configurations that are difficult for trees: coincident bodies, a line, masses over many orders of magnitude,
/// extreme scales. G is chosen so that accelerations are about 1.
struct DegenerateSet {
    Scene scene;
    /// Factor by which errors may exceed a tree's tolerance. The error of a criterion was fitted to bodies in space; on
    /// a line the errors of all cells have the same sign: up to 4.6 times as large, measured at θ 0.3.
    double slack = 1;
};
std::vector<DegenerateSet> degenerate_sets();

}  // namespace orrery
