// SPDX-License-Identifier: MIT
#pragma once
#include <vector>

#include "core/bodies/bodies.hpp"

namespace orrery {

/// Sets of bodies that break trees: at one place, on a line, with masses of all sizes, at absurd scales. Their G makes
/// accelerations about 1.
struct DegenerateSet {
    Scene scene;
    /// How much more error than a tree's tolerance is accepted. What a rule of opening errs was fitted to bodies in
    /// space; on a line all cells err to the same side: up to 4.6 times as much, measured at θ 0.3.
    double slack = 1;
};
std::vector<DegenerateSet> degenerate_sets();

}  // namespace orrery
