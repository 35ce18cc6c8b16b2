// SPDX-License-Identifier: MIT
// The force laws evaluated by direct summation in double: the reference for all engines.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "core/base/hd.hpp"
#include "core/base/vec.hpp"
#include "core/physics/gravity.hpp"
#include "core/physics/pair_law.hpp"

namespace orrery {

// The triple-dipole energy of three atoms (Axilrod & Teller 1943, J. Chem. Phys. 11, 299; Muto 1943):
//
//     E = ν w (1 + 3 cosγ₁ cosγ₂ cosγ₃) / (r₁₂ r₂₃ r₃₁)³,
//
// where γ are the angles of their triangle. Here G stands for ν, and masses act as weights, w = m₁ m₂ m₃, so that the
// acceleration of a body, force over mass, needs no division and is defined for massless bodies. Each r² is softened to
// r² + ε², in the cosines too, which then depend on the three softened sides alone: E stays finite, and forces are its
// exact gradient. A triplet with a side of r² + ε² ≤ kTouching is skipped.
//
// Let A, B, C be the softened squares of sides ij, jk, ik and a, b, c their inverse roots; s = abc; the cosine at k is
// (B + C − A)/2 · bc, and so on; t is the product of the cosines, κ = 1 + 5t. As E depends on the sides alone, forces
// act along them: −2 ∂E/∂A = 3ν w s³ [κ a² + (cos_i cos_j − cos_k) bc], and cyclically.

/// A softened side of a triangle of bodies.
template <class Real>
struct Side {
    Real half;     ///< (r² + ε²)/2
    Real inverse;  ///< (r² + ε²)^(-1/2); 0 skips the side
    Real square;   ///< inverse²
};

/// Forces along the sides of a triangle, without the factor 3ν w: each end of a side is repelled from the other by this
/// factor times the vector between them.
template <class Real>
struct TripletPush {
    Real ij, jk, ik;
    Real energy;  ///< s³(1 + 3t), without the factor ν w; the compiler removes it if unused
};

/// Scalar products of the two sides that meet at a body, each with half of ε².
template <class Real>
struct Corners {
    Real i, j, k;
};

/// Costs 25 operations of the FMA pipe, plus 3 in the caller to add s³ times a bracket to a sum for each side, or 6 if
/// each is weighted with the mass of the third body: 28 and 31 per triplet, with no root, because sides are shared by
/// many triplets. At 30.9 T FMA instructions per second (H200, core clock 1.98 GHz) that limits the rate to 1.10 and
/// 1.00 T triplets/s. Sums are kept per side, not per body: 3 additions instead of 9, and Newton's third law holds by
/// construction.
template <class Real>
ORRERY_HD TripletPush<Real> triplet_push(const Corners<Real>& at, const Side<Real>& ij, const Side<Real>& jk,
                                         const Side<Real>& ik) {
    const Real by_k = jk.inverse * ik.inverse, by_i = ik.inverse * ij.inverse, by_j = ij.inverse * jk.inverse;
    const Real cos_k = at.k * by_k, cos_i = at.i * by_i, cos_j = at.j * by_j;
    const Real s = ij.inverse * by_k, s3 = s * (s * s);
    const Real both = cos_i * cos_j, all = both * cos_k, kappa = Real(1) + Real(5) * all;
    return {s3 * (kappa * ij.square + (both - cos_k) * by_k), s3 * (kappa * jk.square + (cos_j * cos_k - cos_i) * by_i),
            s3 * (kappa * ik.square + (cos_i * cos_k - cos_j) * by_j), s3 * (Real(1) + Real(3) * all)};
}

/// Computes the corners from the squares of the sides.
template <class Real>
ORRERY_HD TripletPush<Real> triplet_push(const Side<Real>& ij, const Side<Real>& jk, const Side<Real>& ik) {
    const Real at_k = jk.half + ik.half - ij.half;
    return triplet_push({Real(2) * ik.half - at_k, Real(2) * jk.half - at_k, at_k}, ij, jk, ik);
}

/// Adds the effect of bodies j and k on one at `self`, without ν: its acceleration, and in w its potential m_j m_k E/(ν
/// w), of which the acceleration is the negative gradient. The plain form in double, for references and checks, derived
/// from the energy as a polynomial: with P = (B + C − A)(A + C − B)(A + B − C), E/(ν w) = (ABC)^(-3/2) + 3/8 P
/// (ABC)^(-5/2).
ORRERY_HD inline void add_triplet_push(Vec4d& sum, Vec3d self, Vec4d j, Vec4d k, double softening2) {
    const Vec3d ij = self - xyz(j), ik = self - xyz(k), jk = xyz(j) - xyz(k);
    const double A = dot(ij, ij) + softening2, B = dot(jk, jk) + softening2, C = dot(ik, ik) + softening2;
    if (A <= kTouching<double> || B <= kTouching<double> || C <= kTouching<double>) return;
    const double u = B + C - A, v = A + C - B, w = A + B - C, P = u * v * w, product = A * B * C;
    const double s = 1 / std::sqrt(product), s3 = s * s * s, s5 = s3 / product;
    const double by_A = -1.5 * s3 / A - 15.0 / 16 * P * s5 / A + 0.375 * (u * w + u * v - v * w) * s5;
    const double by_C = -1.5 * s3 / C - 15.0 / 16 * P * s5 / C + 0.375 * (v * w + u * w - u * v) * s5;
    const double weight = j.w * k.w;
    sum.x -= 2 * weight * (by_A * ij.x + by_C * ik.x);
    sum.y -= 2 * weight * (by_A * ij.y + by_C * ik.y);
    sum.z -= 2 * weight * (by_A * ij.z + by_C * ik.z);
    sum.w += weight * (s3 + 0.375 * P * s5);
}

/// Pair forces, under any PairLaw, or three-body forces.
enum class Law { kPairs, kAxilrodTeller };

/// Acceleration and potential of body i in double, from N pairs or, with Axilrod–Teller, N²/2 triplets. Only Coulomb's
/// law reads `charge`.
template <class Real>
Vec4d reference_acceleration(Law law, const Vec4<Real>* bodies, std::size_t count, std::size_t i,
                             const Gravity& gravity, const double* charge = nullptr) {
    if (law == Law::kPairs && gravity.law != PairLaw::kGravity)
        return pair_law_reference(bodies, charge, count, i, gravity);
    const double softening2 = gravity.softening * gravity.softening, G = gravity.constant;
    const Vec3d self = xyz(convert<double>(bodies[i]));
    Vec4d sum{};
    for (std::size_t j = 0; j < count; ++j) {
        if (j == i) continue;
        const Vec4d other = convert<double>(bodies[j]);
        if (law == Law::kPairs) add_acceleration(sum, self, other, softening2);
        for (std::size_t k = j + 1; law == Law::kAxilrodTeller && k < count; ++k)
            if (k != i) add_triplet_push(sum, self, other, convert<double>(bodies[k]), softening2);
    }
    return {G * sum.x, G * sum.y, G * sum.z, law == Law::kPairs ? -G * sum.w : G * sum.w};
}

/// The same for all bodies.
inline std::vector<Vec4d> reference_accelerations(Law law, const std::vector<Vec4d>& bodies, const Gravity& gravity,
                                                  const double* charge = nullptr) {
    std::vector<Vec4d> all;
    for (std::size_t i = 0; i < bodies.size(); ++i)
        all.push_back(reference_acceleration(law, bodies.data(), bodies.size(), i, gravity, charge));
    return all;
}

/// Number of bodies, at most `samples` and at least one, for which a reference costs at most `interactions`.
inline std::size_t affordable_samples(Law law, std::size_t samples, std::size_t count, double interactions) {
    const auto n = static_cast<double>(count);
    const double each = law == Law::kPairs ? n : 1 + n * n / 2;
    return std::max<std::size_t>(1,
                                 static_cast<std::size_t>(std::min(static_cast<double>(samples), interactions / each)));
}

}  // namespace orrery
