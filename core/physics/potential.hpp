// SPDX-License-Identifier: MIT
#pragma once

namespace orrery {

/// kCompute: also the potential of a body, of which its acceleration is the negative gradient, into acceleration.w:
/// with gravity φ_i = -G Σ_{j≠i} m_j / √(r² + ε²); with Axilrod–Teller the sum over its triplets of their energies over
/// m_i.
enum class Potential { kSkip, kCompute };

}  // namespace orrery
