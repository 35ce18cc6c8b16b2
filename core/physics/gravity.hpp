// SPDX-License-Identifier: MIT
#pragma once
#include <cmath>
#include <cstdint>
#include <limits>

#include "core/base/hd.hpp"
#include "core/base/vec.hpp"

namespace orrery {

/// How the force of two bodies depends on their distance; formulas in core/physics/pair_law.hpp.
enum class PairLaw : std::uint8_t { kGravity, kSpline, kLennardJones, kCoulomb };

/// The force law: a_i = G Σ_j m_j r_ij / (|r_ij|² + ε²)^(3/2) (GPU Gems 3, ch. 31, eq. 3), or the one selected by
/// `law`.
struct Gravity {
    double constant = 1;   ///< G, in the scene's units; Lennard-Jones: the depth of the well, Coulomb: its constant
    double softening = 0;  ///< Plummer ε, a length
    PairLaw law = PairLaw::kGravity;
    double sigma = 0;    ///< Lennard-Jones and Coulomb: the length σ of the repulsion
    double cut_off = 0;  ///< Lennard-Jones, in units of σ; 0: none
    friend bool operator==(const Gravity&, const Gravity&) = default;
};

/// Pairs at squared distances below this exert no force, because 1/r³ would overflow; this also keeps a body from
/// attracting itself when ε = 0. Engines need the comparison only when ε² does not exceed it.
template <class Real>
inline constexpr Real kTouching = Real(1e-200);
template <>
inline constexpr float kTouching<float> = 1e-24f;

/// Adds the acceleration of one body by another (GPU Gems 3, ch. 31, eq. 3, without G): the plain form, for references
/// and checks. w of `sum` accumulates m/√(r²+ε²). A coincident body with ε = 0 is skipped.
inline void add_acceleration(Vec4d& sum, Vec3d self, Vec4d other, double softening2) {
    const Vec3d r = xyz(other) - self;
    const double r2 = dot(r, r) + softening2;
    if (r2 <= kTouching<double>) return;
    const double inverse = 1 / std::sqrt(r2), s = other.w * inverse * inverse * inverse;
    sum.x += s * r.x, sum.y += s * r.y, sum.z += s * r.z, sum.w += other.w * inverse;
}

/// kCompute: also writes the potential of each body, whose negative gradient is its acceleration, to acceleration.w:
/// with gravity φ_i = -G Σ_{j≠i} m_j / √(r² + ε²); with Axilrod–Teller the sum of the energies of its triplets over
/// m_i.
enum class Potential { kSkip, kCompute };

}  // namespace orrery

// Compile-time variants of the loops over pairs, on every backend.

namespace orrery {

enum class Softened { kNo, kYes };  ///< kNo: two bodies may be at distance 0 and must then be skipped
enum class Split { kNo, kYes };     ///< kYes: a position is the sum of two numbers; see core/engines/mixed.hpp

}  // namespace orrery

namespace orrery {

/// Floating-point operations of one pair as GPU Gems 3, ch. 31 counts them (section 31.5.1): nine additions, nine
/// multiplications, a root and a division, whatever the hardware does.
inline constexpr double kFlopOfPair = 20;

/// GFLOP/s at that count.
inline constexpr double gflops(double pairs_per_second) { return 1e-9 * kFlopOfPair * pairs_per_second; }

}  // namespace orrery
