// SPDX-License-Identifier: MIT
#pragma once

namespace orrery {

/// kCompute: also writes the potential of each body, whose negative gradient is its acceleration, to acceleration.w:
/// with gravity φ_i = -G Σ_{j≠i} m_j / √(r² + ε²); with Axilrod–Teller the sum of the energies of its triplets over
/// m_i.
enum class Potential { kSkip, kCompute };

}  // namespace orrery
