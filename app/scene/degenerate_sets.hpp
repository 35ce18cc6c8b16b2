// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <vector>

#include "core/bodies/bodies.hpp"

namespace orrery {

/// Configurations that are difficult for trees: coincident bodies, a line, masses over many orders of magnitude,
/// extreme scales. G is chosen so that accelerations are about 1. Each scene has an id.
std::vector<Scene> degenerate_sets(std::size_t bodies = 1000);

}  // namespace orrery
