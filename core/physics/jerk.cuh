// SPDX-License-Identifier: MIT
#pragma once
#include "core/physics/pair.cuh"

namespace orrery::cuda {

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
