// SPDX-License-Identifier: MIT
// Whether the numbers of a scene suit the precision in which it is computed, and the G that it assumes.
#pragma once
#include <string>
#include <vector>

#include "core/base/precision.hpp"
#include "core/bodies/bodies.hpp"

namespace orrery {

/// Why a state in this precision cannot follow the bodies, a clause: they lie so far from the origin that its steps
/// between two numbers are larger than a thousandth of their extent, or than a twentieth of their way in one step.
/// Empty: it can.
std::string unresolved(const Scene& scene, Precision precision);
/// Throws Error{kUsage} with that reason, and the precisions that can.
void require_resolved(const Scene& scene, Precision precision);

/// Remarks on bodies of a file, one line each: far from the origin, squares of distances beyond single precision, or
/// 2K/|W| far from 1 where the file states no units and G is taken for 1.
std::vector<std::string> oddities(const Scene& scene);

}  // namespace orrery
