// SPDX-License-Identifier: MIT
// Checks whether the numbers of a scene suit the precision of the computation, and the assumed G.
#pragma once
#include <string>
#include <vector>

#include "core/base/backend.hpp"
#include "core/bodies/bodies.hpp"

namespace orrery {

/// Why positions in this precision cannot resolve the motion, as a clause: the bodies are so far from the origin that
/// the spacing of representable numbers exceeds a thousandth of their extent, or a twentieth of their path in one step.
/// Empty if they can.
std::string unresolved(const Scene& scene, Precision precision);
/// Throws Error{kUsage} with that reason and the precisions that suffice.
void require_resolved(const Scene& scene, Precision precision);

/// Remarks on the bodies of a file, one line each: far from the origin, squared distances beyond single precision, or
/// 2K/|W| far from 1 if the file states no units and G = 1 is assumed.
std::vector<std::string> oddities(const Scene& scene);

}  // namespace orrery
