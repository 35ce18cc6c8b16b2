// SPDX-License-Identifier: MIT
// The pair laws other than Plummer-softened gravity, in one form for references and devices. A body has a strength: its
// mass, its charge, or 1. The pull of a pair is its attraction divided by the distance; its depth is minus its energy.
#pragma once
#include <cmath>
#include <cstddef>
#include <limits>
#include <span>
#include <string_view>
#include <vector>

#include "core/base/hd.hpp"
#include "core/physics/gravity.hpp"

namespace orrery {

/// True if the acceleration of a body does not depend on its mass; otherwise forces are divided by it.
constexpr bool attracts_masses(PairLaw law) { return law == PairLaw::kGravity || law == PairLaw::kSpline; }

/// The spline kernel vanishes at h = 2.8 ε, so that the potential of a body at rest on another is Plummer's −G m/ε
/// (Springel 2005, MNRAS 364, 1105, §2).
inline constexpr double kSplineReach = 2.8;
/// Exponent of the repulsion between ions.
inline constexpr int kIonExponent = 9;

/// Precomputed constants of a law for loops over pairs, in their precision.
template <class Real>
struct PairConstants {
    Real softening2;  ///< ε², added to r²; 0 for the spline
    Real h, per_h;    ///< for the spline; 1/h is ∞ without softening
    Real sigma2;      ///< σ²
    Real cut_off2;    ///< squared softened distance beyond which there is no force; may be ∞
    Real cut_energy;  ///< Lennard-Jones energy at the cut-off, in depths of the well
};

template <class Real>
PairConstants<Real> pair_constants(const Gravity& gravity) {
    constexpr double none = std::numeric_limits<double>::infinity();
    const bool spline = gravity.law == PairLaw::kSpline;
    const double h = spline ? kSplineReach * gravity.softening : 0;
    const double softening2 = spline ? 0 : gravity.softening * gravity.softening;
    const double sigma2 = gravity.sigma * gravity.sigma, cut2 = gravity.cut_off * gravity.cut_off;
    const double cut6 = cut2 > 0 ? 1 / (cut2 * cut2 * cut2) : 0;
    return {static_cast<Real>(softening2),
            static_cast<Real>(h),
            static_cast<Real>(h > 0 ? 1 / h : none),
            static_cast<Real>(sigma2),
            static_cast<Real>(cut2 > 0 ? cut2 * sigma2 : none),
            static_cast<Real>(4 * cut6 * (cut6 - 1))};
}

template <class Real>
struct PairTerm {
    Real pull{}, depth{};
};

/// The spline kernel of Hernquist & Katz (1989, ApJS 70, 419, appendix A) with the coefficients of Springel (2005, eq.
/// 4), for unit masses; beyond h the force is exactly Newton's. distance = √r², y is its reciprocal.
template <class Real>
ORRERY_HD inline PairTerm<Real> spline_term(const PairConstants<Real>& c, Real distance, Real y) {
    const Real u = distance * c.per_h, u2 = u * u, per_h3 = c.per_h * c.per_h * c.per_h;
    if (!(u < 1)) return {y * y * y, y};
    if (u < Real(0.5))
        return {per_h3 * (Real(32.0 / 3) + u2 * (32 * u - Real(38.4))),
                c.per_h * (Real(2.8) - u2 * (Real(16.0 / 3) + u2 * (Real(6.4) * u - Real(9.6))))};
    const Real per_u = c.h * y, part = Real(1.0 / 15) * per_u;
    return {per_h3 * (Real(64.0 / 3) - u * (48 - u * (Real(38.4) - u * Real(32.0 / 3))) - part * per_u * per_u),
            c.per_h * (Real(3.2) - part - u2 * (Real(32.0 / 3) - u * (16 - u * (Real(9.6) - u * Real(32.0 / 15)))))};
}

/// 4 [(σ/r)¹² − (σ/r)⁶], cut off and shifted so that it is 0 at the cut-off (Allen & Tildesley 1987, §1.4 and 5.2.4).
template <class Real>
ORRERY_HD inline PairTerm<Real> lennard_jones_term(const PairConstants<Real>& c, Real distance2, Real y2) {
    if (!(distance2 < c.cut_off2)) return {};
    const Real q = c.sigma2 * y2, q3 = q * q * q;
    return {24 * q3 * y2 * (1 - 2 * q3), c.cut_energy - 4 * q3 * (q3 - 1)};
}

/// q q'/r + |q q'| σ⁸/(9 r⁹): Coulomb's law, and a repulsion that keeps ions of opposite charge about σ apart (the
/// simple molten salt of Hansen & McDonald 1975, Phys. Rev. A 11, 2111). `product`: q q'.
template <class Real>
ORRERY_HD inline PairTerm<Real> coulomb_term(const PairConstants<Real>& c, Real product, Real y) {
    const Real s2 = c.sigma2 * y * y, s4 = s2 * s2, repulsion = (product < 0 ? -product : product) * s4 * s4;
    return {-y * y * y * (product + repulsion), -y * (product + repulsion * Real(1.0 / kIonExponent))};
}

/// The term of two bodies of these strengths; y = 1/√distance2. With the spline, pull and depth must still be
/// multiplied by the strength of the attracting body.
template <PairLaw kLaw, class Real>
ORRERY_HD inline PairTerm<Real> pair_term(const PairConstants<Real>& c, Real distance2, Real y, Real one, Real other) {
    if constexpr (kLaw == PairLaw::kSpline) {
        return spline_term(c, distance2 * y, y);
    } else {
        const Real product = one * other;
        if (product == 0) return {};  // padding, which may be at any distance
        return kLaw == PairLaw::kCoulomb ? coulomb_term(c, product, y) : lennard_jones_term(c, distance2, y * y);
    }
}

/// The factor with which a body of this strength multiplies pair_term().
template <PairLaw kLaw, class Real>
ORRERY_HD constexpr Real weight_of(Real strength) {
    return kLaw == PairLaw::kSpline ? strength : Real(1);
}

template <class Real>
ORRERY_HD constexpr Real strength_of(PairLaw law, Real mass, Real charge) {
    return attracts_masses(law) ? mass : law == PairLaw::kCoulomb ? charge : Real(1);
}

/// The factor that turns a body's sum of pulls into its acceleration, and its sum of depths into minus its potential.
template <class Real>
ORRERY_HD constexpr Real scale_of(PairLaw law, Real constant, Real mass) {
    return attracts_masses(law) ? constant : constant / mass;
}

/// Calls f.template operator()<law>() for a law other than Plummer-softened gravity.
template <class F>
decltype(auto) with_law(PairLaw law, F&& f) {
    switch (law) {
        case PairLaw::kSpline:
            return f.template operator()<PairLaw::kSpline>();
        case PairLaw::kCoulomb:
            return f.template operator()<PairLaw::kCoulomb>();
        default:
            return f.template operator()<PairLaw::kLennardJones>();
    }
}

/// Acceleration and potential of body i in double, by direct summation.
template <class Real>
Vec4d pair_law_reference(const Vec4<Real>* bodies, const double* charge, std::size_t count, std::size_t i,
                         const Gravity& gravity) {
    const PairConstants<double> c = pair_constants<double>(gravity);
    const auto strength = [&](std::size_t k) {
        return strength_of<double>(gravity.law, static_cast<double>(bodies[k].w), charge ? charge[k] : 0);
    };
    const Vec3d self = xyz(convert<double>(bodies[i]));
    const double own = strength(i);
    Vec4d sum{};
    with_law(gravity.law, [&]<PairLaw kLaw>() {
        for (std::size_t j = 0; j < count; ++j) {
            const Vec3d r = xyz(convert<double>(bodies[j])) - self;
            if (const double r2 = dot(r, r); r2 > kTouching<double>) {
                const double distance2 = r2 + c.softening2, other = strength(j);
                const PairTerm<double> term = pair_term<kLaw>(c, distance2, 1 / std::sqrt(distance2), own, other);
                const double weight = weight_of<kLaw>(other), pull = weight * term.pull;
                sum.x += pull * r.x, sum.y += pull * r.y, sum.z += pull * r.z, sum.w += weight * term.depth;
            }
        }
    });
    const double scale = scale_of<double>(gravity.law, gravity.constant, static_cast<double>(bodies[i].w));
    return {scale * sum.x, scale * sum.y, scale * sum.z, -scale * sum.w};
}

/// A line of the menu of laws.
struct PairLawEntry {
    std::string_view id, label, doc;
    PairLaw value;
};

std::span<const PairLawEntry> pair_laws();
const PairLawEntry& pair_law(PairLaw law);
/// Throws Error{kUsage} for an id that no entry has (listing the menu).
const PairLawEntry& pair_law(std::string_view id);
/// All laws, for EngineEntry::pair_laws.
std::vector<PairLaw> every_pair_law();

/// Throws Error{kUsage} if a constant is out of range or missing.
void validate(const Gravity& gravity);

}  // namespace orrery
