// SPDX-License-Identifier: MIT
#pragma once
#include "core/base/vec.hpp"
#include "core/physics/gravity.hpp"
#include "core/physics/pair_law.hpp"

namespace orrery::cuda {

/// A body as used in pair interactions.
template <class Real, Split kSplit>
struct PointMass {
    Vec4<Real> at;
};
template <class Real>
struct PointMass<Real, Split::kYes> {
    Vec4<Real> at, low;
};

template <Split kSplit, class Real>
__device__ __forceinline__ PointMass<Real, kSplit> point_mass(const Vec4<Real>* bodies, const Vec4<Real>* low,
                                                              std::uint64_t i) {
    if constexpr (kSplit == Split::kYes)
        return {bodies[i], low[i]};
    else
        return {bodies[i]};
}

/// other − self. With split positions either the high parts are close together, or the low parts do not matter: the
/// result is exact to float precision.
template <class Real>
__device__ __forceinline__ Vec3<Real> difference(const PointMass<Real, Split::kNo>& other,
                                                 const PointMass<Real, Split::kNo>& self) {
    return {other.at.x - self.at.x, other.at.y - self.at.y, other.at.z - self.at.z};
}
template <class Real>
__device__ __forceinline__ Vec3<Real> difference(const PointMass<Real, Split::kYes>& other,
                                                 const PointMass<Real, Split::kYes>& self) {
    return {(other.at.x - self.at.x) + (other.low.x - self.low.x),
            (other.at.y - self.at.y) + (other.low.y - self.low.y),
            (other.at.z - self.at.z) + (other.low.z - self.low.z)};
}

/// The hardware's 1/√x: within 2 units in the last place in float, about 22 bits in double.
__device__ __forceinline__ float fast_rsqrt(float x) {
    float y;
    asm("rsqrt.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
    return y;
}
__device__ __forceinline__ double fast_rsqrt(double x) {
    double y;
    asm("rsqrt.approx.ftz.f64 %0, %1;" : "=d"(y) : "d"(x));
    return y;
}

/// mass / distance2^(3/2), and in `inverse` 1/distance (removed by the compiler where it is not used).
__device__ __forceinline__ float inverse_cube(float, float y, float mass, float& inverse) {
    inverse = y;
    return (mass * y) * (y * y);
}
/// y = (1 − δ)/√D has the residual e = 1 − D·y²; D^(-3/2) = y³·(1 + 3/2 e + 15/8 e² + …), where the next term is below
/// 2⁻⁶⁰.
__device__ __forceinline__ double inverse_cube(double distance2, double y, double mass, double& inverse) {
    const double y2 = y * y;
    const double e = fma(-distance2, y2, 1.0);
    const double raw = (mass * y) * y2;
    inverse = fma(y * e, fma(0.375, e, 0.5), y);
    return fma(raw, e * fma(1.875, e, 1.5), raw);
}

/// distance2^(-3/2) from y as returned by fast_rsqrt(), for engines that weight it with two masses.
__device__ __forceinline__ float inverse_cube(float, float y) { return y * (y * y); }
__device__ __forceinline__ double inverse_cube(double distance2, double y) {
    const double y2 = y * y, raw = y * y2;
    const double e = fma(-distance2, y2, 1.0);
    return fma(raw, e * fma(1.875, e, 1.5), raw);
}

/// y = 1/√distance2, or 0 for a pair that is skipped.
template <Softened kSoftened, class Real>
__device__ __forceinline__ Real pair_rsqrt(Real distance2) {
    const Real y = fast_rsqrt(distance2);
    if constexpr (kSoftened == Softened::kYes) return y;
    return distance2 > kTouching<Real> ? y : Real(0);
}

template <class Real>
struct Sum {
    Real x{}, y{}, z{}, w{};
};

/// Adds the acceleration of a body at `self` by `mass` at `other`, without G; w accumulates mass/distance. A body has
/// no potential, m/ε, in its own field, so loops that compute potentials pass a mass of 0 for the body itself.
template <Softened kSoftened, bool kPotential, class Real, Split kSplit>
__device__ __forceinline__ void add_acceleration(Sum<Real>& sum, const PointMass<Real, kSplit>& self,
                                                 const PointMass<Real, kSplit>& other, Real mass, Real softening2) {
    const Vec3<Real> d = difference(other, self);
    const Real distance2 = fma(d.x, d.x, fma(d.y, d.y, fma(d.z, d.z, softening2)));
    Real inverse;
    const Real factor = inverse_cube(distance2, pair_rsqrt<kSoftened>(distance2), mass, inverse);
    sum.x = fma(factor, d.x, sum.x);
    sum.y = fma(factor, d.y, sum.y);
    sum.z = fma(factor, d.z, sum.z);
    if constexpr (kPotential) sum.w = fma(mass, inverse, sum.w);
}
/// The mass with which `other` acts: 0 if it is the body itself.
template <bool kPotential, class Real, Split kSplit>
__device__ __forceinline__ Real mass_beside(const PointMass<Real, kSplit>& other, bool is_self) {
    return kPotential && is_self ? Real(0) : other.at.w;
}

/// 1/√x to full precision.
__device__ __forceinline__ float exact_rsqrt(float x) { return fast_rsqrt(x); }
__device__ __forceinline__ double exact_rsqrt(double x) {
    double inverse;
    inverse_cube(x, fast_rsqrt(x), 1.0, inverse);
    return inverse;
}

/// pair_term() of two bodies `distance2` apart without softening, given their strengths in w; 0 if they coincide.
template <PairLaw kLaw, class Real>
__device__ __forceinline__ PairTerm<Real> law_term(const PairConstants<Real>& law, Real distance2, Real one,
                                                   Real other) {
    const Real softened2 = distance2 + law.softening2;
    const PairTerm<Real> term = pair_term<kLaw>(law, softened2, exact_rsqrt(softened2), one, other);
    if (distance2 > kTouching<Real>) return term;
    return {};
}

/// Adds the pull on `self` by `other`, without the factor scale_of(); w accumulates depths.
template <PairLaw kLaw, bool kPotential, class Real>
__device__ __forceinline__ void add_pull(Sum<Real>& sum, const Vec4<Real>& self, const Vec4<Real>& other,
                                         const PairConstants<Real>& law) {
    const Real dx = other.x - self.x, dy = other.y - self.y, dz = other.z - self.z;
    const PairTerm<Real> term = law_term<kLaw>(law, fma(dx, dx, fma(dy, dy, dz * dz)), self.w, other.w);
    const Real weight = weight_of<kLaw>(other.w), pull = weight * term.pull;
    sum.x = fma(pull, dx, sum.x);
    sum.y = fma(pull, dy, sum.y);
    sum.z = fma(pull, dz, sum.z);
    if constexpr (kPotential) sum.w = fma(weight, term.depth, sum.w);
}

/// The sum times G, with the potential in w.
template <class Real>
__device__ __forceinline__ Vec4<Real> finished(const Vec4<Real>& sum, Real G) {
    return {G * sum.x, G * sum.y, G * sum.z, -G * sum.w};
}

/// Two moving bodies. The acceleration of the first is `factor`·d, its jerk `factor`·turn, its potential −mass·inverse;
/// those of the second follow from the other mass and the opposite sign.
template <class Real>
struct MovingPair {
    Vec3<Real> d;     ///< x
    Vec3<Real> turn;  ///< v − 3 (x·v)/D x (Aarseth 2003, eq. 2.10), with D = x² + ε²
    Real factor;      ///< mass/D^(3/2)
    Real inverse;     ///< 1/√D; this and `factor` are 0 for a pair that is skipped
};

/// The order of factors keeps intermediate results within the range of float whenever the final result is.
template <class Real>
__device__ __forceinline__ MovingPair<Real> moving_pair(const Vec4<Real>& self, const Vec4<Real>& self_velocity,
                                                        const Vec4<Real>& other, const Vec4<Real>& other_velocity,
                                                        Real mass, Real softening2) {
    const Vec3<Real> x{other.x - self.x, other.y - self.y, other.z - self.z};
    const Vec3<Real> v{other_velocity.x - self_velocity.x, other_velocity.y - self_velocity.y,
                       other_velocity.z - self_velocity.z};
    const Real distance2 = fma(x.x, x.x, fma(x.y, x.y, fma(x.z, x.z, softening2)));
    Real inverse;
    const Real factor = inverse_cube(distance2, pair_rsqrt<Softened::kNo>(distance2), mass, inverse);
    const Real along = Real(-3) * fma(x.x, v.x, fma(x.y, v.y, x.z * v.z)) * (inverse * inverse);
    return {x, {fma(along, x.x, v.x), fma(along, x.y, v.y), fma(along, x.z, v.z)}, factor, inverse};
}

/// Sums of acceleration, with Σ mass/√D in w, and jerk; all without G.
template <class Real>
struct JerkSum {
    Sum<Real> acceleration, jerk;  // jerk.w unused

    /// `factor`: mass/D^(3/2) with the sign of the direction. `mass`: for the potential; 0 if the pair is the body
    /// itself.
    __device__ __forceinline__ void add(const MovingPair<Real>& pair, Real factor, Real mass) {
        acceleration.x = fma(factor, pair.d.x, acceleration.x);
        acceleration.y = fma(factor, pair.d.y, acceleration.y);
        acceleration.z = fma(factor, pair.d.z, acceleration.z);
        acceleration.w = fma(mass, pair.inverse, acceleration.w);
        jerk.x = fma(factor, pair.turn.x, jerk.x);
        jerk.y = fma(factor, pair.turn.y, jerk.y);
        jerk.z = fma(factor, pair.turn.z, jerk.z);
    }
    __device__ __forceinline__ void add(const JerkSum& more) {
        acceleration.x += more.acceleration.x, acceleration.y += more.acceleration.y,
            acceleration.z += more.acceleration.z, acceleration.w += more.acceleration.w;
        jerk.x += more.jerk.x, jerk.y += more.jerk.y, jerk.z += more.jerk.z;
    }
};

}  // namespace orrery::cuda
