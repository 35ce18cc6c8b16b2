// SPDX-License-Identifier: MIT
#pragma once
// Steps before and after sorting: bounding box and units of the tree, and gathering bodies into its order.
#include <cub/block/block_reduce.cuh>

#include "core/engines/cuda/tree/cells.cuh"

namespace orrery::cuda {

template <class Real>
struct Bounds {
    Vec3<Real> low, high;
    Real mass;

    __device__ static Bounds none() {
        const Real far = std::numeric_limits<Real>::max();
        return {{far, far, far}, {-far, -far, -far}, 0};
    }
};

/// Excludes a non-finite body from the bounds, so that the others remain distinguishable.
template <class Real>
struct BoundsOf {
    __device__ static Real or_else(Real x, Real otherwise) { return isfinite(x) ? x : otherwise; }
    __device__ Bounds<Real> operator()(const Vec4<Real>& b) const {
        const Real far = std::numeric_limits<Real>::max();
        return {{or_else(b.x, far), or_else(b.y, far), or_else(b.z, far)},
                {or_else(b.x, -far), or_else(b.y, -far), or_else(b.z, -far)},
                or_else(fabs(b.w), 0)};
    }
};

struct BoundsUnion {
    template <class Real>
    __device__ Bounds<Real> operator()(const Bounds<Real>& a, const Bounds<Real>& b) const {
        return {{min(a.low.x, b.low.x), min(a.low.y, b.low.y), min(a.low.z, b.low.z)},
                {max(a.high.x, b.high.x), max(a.high.y, b.high.y), max(a.high.z, b.high.z)},
                a.mass + b.mass};
    }
};

/// The power of two that scales x into [1/2, 1); 1 if x is not positive.
template <class Real>
__device__ Real per_unit(Real x) {
    if (!(x > 0)) return 1;
    int exponent;
    frexp(x, &exponent);
    const int most = sizeof(Real) == 4 ? 120 : 1000;
    return ldexp(Real(1), max(-most, min(most, -exponent)));
}

template <class Real>
__device__ TreeUnits<Real> units_for(const Bounds<Real>& b, double softening) {
    TreeUnits<Real> u{};
    u.low = b.low;
    u.side = max(b.high.x - b.low.x, max(b.high.y - b.low.y, b.high.z - b.low.z));
    u.grid = key_grid(b.low, u.side);
    const auto farthest = [](Real low, Real high) { return max(fabs(low), fabs(high)); };
    u.per_length =
        per_unit(max(farthest(b.low.x, b.high.x), max(farthest(b.low.y, b.high.y), farthest(b.low.z, b.high.z))));
    u.per_mass = per_unit(b.mass);
    const double length = u.per_length, mass = u.per_mass, soft = softening * length;
    u.softening2 = Real(soft * soft);
    u.acceleration = length * length / mass;
    u.potential = length / mass;
    return u;
}

template <class Real>
struct Gathering {
    const Vec4<Real>*bodies, *low;   ///< in the scene's order and units; null: those of the tree are unchanged
    const Vec4<Real>* acceleration;  ///< null: no accelerations
    double G;
    const std::uint64_t*
        packed;                ///< sorted keys with the bodies' indices in their last bits; null: `order` is complete
    std::uint64_t index_bits;  ///< their mask
    std::uint32_t* order;
    std::uint32_t count;
    Vec4<Real>*sorted, *sorted_low;
    Real *acceleration_norm, *shares;
};

/// To be called by whole blocks: gathers bodies first, first + step, … of [0, end) into the tree's order and units,
/// with the |acceleration| of each; the last block to finish computes the mean, in a fixed order.
template <unsigned kThreads, class Real>
__device__ void gather_share(const Gathering<Real>& in, TreeState<Real>* state, std::uint64_t first, std::uint64_t step,
                             std::uint64_t end) {
    const TreeUnits<Real>& units = state->units;
    const Real length = units.per_length, mass = units.per_mass;
    const Real norm_unit = in.acceleration ? Real(1 / (in.G * units.acceleration)) : Real(0);
    const auto in_units = [=](const Vec4<Real>& b) {
        return Vec4<Real>{length * b.x, length * b.y, length * b.z, mass * b.w};
    };
    Real sum = 0;
    for (std::uint64_t i = first; i < end; i += step) {
        const std::uint32_t from = in.packed ? static_cast<std::uint32_t>(in.packed[i] & in.index_bits) : in.order[i];
        if (in.packed) in.order[i] = from;
        if (in.bodies) in.sorted[i] = in_units(in.bodies[from]);
        if (in.low) in.sorted_low[i] = in_units(in.low[from]);  // w is 0 and needs no scaling
        if (!in.acceleration) continue;
        const Vec4<Real> a = in.acceleration[from];
        const Real x = a.x * norm_unit, y = a.y * norm_unit, z = a.z * norm_unit;
        const Real acceleration_norm = sqrt(x * x + y * y + z * z);
        in.acceleration_norm[i] = acceleration_norm;
        sum += acceleration_norm;
    }
    if (!in.acceleration) return;
    using Reduce = cub::BlockReduce<Real, kThreads>;
    __shared__ typename Reduce::TempStorage memory;
    const Real share = Reduce{memory}.Sum(sum);
    if (threadIdx.x == 0) in.shares[blockIdx.x] = share;
    if (!last_of_grid(&state->tickets)) return;
    sum = 0;
    for (unsigned i = threadIdx.x; i < gridDim.x; i += kThreads) sum += in.shares[i];
    const Real all = Reduce{memory}.Sum(sum);
    if (threadIdx.x == 0) state->units.mean_acceleration_norm = all / Real(in.count);
}

}  // namespace orrery::cuda
