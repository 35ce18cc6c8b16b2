// SPDX-License-Identifier: MIT
#pragma once
// Kernels over the bodies of a DeviceSystem.
#include <cstddef>
#include <cstdint>

#include "core/base/vec.hpp"
#include "core/bodies/body_system.hpp"
#include "core/cuda/launch.cuh"

namespace orrery::cuda {

/// Moves as passed to a kernel.
template <class Real>
struct Moves {
    static constexpr int kMost = 8;
    int count = 0;
    bool kicks = false, drifts = false, looks = false;  ///< `op` contains a kick, a drift, a step end
    bool looks_at_places =
        false;  ///< check positions at the end of a step: no drift has checked them since begin_checks()
    Move::Op op[kMost];
    Real dt[kMost];
};

/// Result of kStepEnd, stored on the device so that it can be read once after many steps.
struct StepEnds {
    /// The first non-finite body, encoded as step ends before it · 2³³ + 2³² for a velocity + its index, so that the
    /// minimum is the earliest step end, then a position before a velocity, then the lowest index. All bits set: none.
    unsigned long long* lost;
    /// Number of step ends so far, alternating between two slots, so that no thread reads what another one writes.
    unsigned long long* ends;
    unsigned turn;  ///< the current slot
};

/// x − x is not 0 for both NaN and ∞.
template <class Real>
__device__ bool finite(const Vec4<Real>& v) {
    return (v.x - v.x) + (v.y - v.y) + (v.z - v.z) == 0;
}

/// target += step · rate, except w. One rounding, independent of the operations before and after: bitwise identical in
/// one pass or in many.
template <class Real>
__device__ void add_rate(Vec4<Real>& target, const Vec4<Real>& rate, Real step) {
    target.x = fma(step, rate.x, target.x), target.y = fma(step, rate.y, target.y);
    target.z = fma(step, rate.z, target.z);
}

/// Applies all moves to all bodies in one pass; does not access unneeded data. At most one move is kStepEnd.
template <class Real>
__global__ void move_bodies(Moves<Real> moves, Vec4<Real>* position, Vec4<Real>* velocity,
                            const Vec4<Real>* acceleration, std::uint64_t count, StepEnds ends) {
    const std::uint64_t i = thread_index();
    if (i >= count) return;
    Vec4<Real> v = velocity[i], x{}, a{};
    if (moves.drifts || moves.looks_at_places) x = position[i];
    if (moves.kicks) a = acceleration[i];
    unsigned long long ended = 0;
    const auto lost = [&](unsigned long long of_velocity) {
        atomicMin(ends.lost, (ends.ends[ends.turn] + ended) << 33 | of_velocity << 32 | i);
    };
#pragma unroll  // so that the array stays in registers
    for (int m = 0; m < Moves<Real>::kMost; ++m) {
        if (m >= moves.count) break;
        if (moves.op[m] == Move::Op::kKick) add_rate(v, a, moves.dt[m]);
        if (moves.op[m] == Move::Op::kDrift) {
            add_rate(x, v, moves.dt[m]);
            if (!finite(x)) lost(0);  // lost at the end of this step: it cannot become finite again
        }
        if (moves.op[m] == Move::Op::kStepEnd) {
            if (!finite(x)) lost(0);
            if (!finite(v)) lost(1);
            ended = 1;
        }
    }
    if (moves.drifts) position[i] = x;
    if (moves.kicks) velocity[i] = v;
    if (moves.looks && i == 0) ends.ends[1 - ends.turn] = ends.ends[ends.turn] + 1;
}

/// out[k] = in[k · count / samples], like sample_indices() on the host.
template <class T>
__global__ void gather(const T* in, T* out, std::uint64_t count, std::uint64_t samples) {
    const std::uint64_t k = thread_index();
    if (k < samples) out[k] = in[k * count / samples];
}

/// out[k] = in[which[k]]
template <class T>
__global__ void gather_some(const T* in, const std::uint32_t* which, T* out, std::uint64_t samples) {
    const std::uint64_t k = thread_index();
    if (k < samples) out[k] = in[which[k]];
}

/// out[which[k]] = in[k]
template <class T>
__global__ void scatter_some(const T* in, const std::uint32_t* which, T* out, std::uint64_t samples) {
    const std::uint64_t k = thread_index();
    if (k < samples) out[which[k]] = in[k];
}

/// Number of `rows` (ascending) below an index.
__device__ inline std::uint32_t rows_before(const std::uint32_t* rows, std::uint32_t count, std::uint64_t index) {
    std::uint32_t first = 0, last = count;
    while (first < last) {
        const std::uint32_t middle = first + (last - first) / 2;
        if (rows[middle] < index)
            first = middle + 1;
        else
            last = middle;
    }
    return first;
}

/// Inserts `values` so that they end up at the indices `rows` of `out`, which has `count` elements.
template <class T>
__global__ void insert_rows(const T* in, const std::uint32_t* rows, const T* values, std::uint32_t more, T* out,
                            std::uint64_t count) {
    const std::uint64_t i = thread_index();
    if (i >= count) return;
    const std::uint32_t before = rows_before(rows, more, i);
    out[i] = before < more && rows[before] == i ? values[before] : in[i - before];
}

/// Removes the indices `rows` of `in`, which has `count` elements.
template <class T>
__global__ void erase_rows(const T* in, const std::uint32_t* rows, std::uint32_t fewer, T* out, std::uint64_t count) {
    const std::uint64_t i = thread_index();
    if (i >= count) return;
    const std::uint32_t before = rows_before(rows, fewer, i);
    if (before < fewer && rows[before] == i) return;
    out[i - before] = in[i];
}

template <class Real>
__global__ void clear_w(Vec4<Real>* vectors, std::uint64_t count) {
    const std::uint64_t i = thread_index();
    if (i < count) vectors[i].w = 0;
}

inline constexpr unsigned kCentreThreads = 256, kCentreBlocks = 256;

/// Sums term(i) in a fixed order; each block sums a part of the bodies.
template <class Term>
__device__ void add_in_blocks(const Term& term, std::uint64_t count, Vec4d* out) {
    __shared__ Vec4d shared[kCentreThreads];
    const auto add = [](Vec4d& sum, const Vec4d& more) {
        sum = {sum.x + more.x, sum.y + more.y, sum.z + more.z, sum.w + more.w};
    };
    Vec4d sum{};
    for (std::uint64_t i = thread_index(); i < count; i += std::uint64_t{kCentreThreads} * kCentreBlocks)
        add(sum, term(i));
    shared[threadIdx.x] = sum;
    for (unsigned half = kCentreThreads / 2; half > 0; half /= 2) {
        __syncthreads();
        if (threadIdx.x < half) add(shared[threadIdx.x], shared[threadIdx.x + half]);
    }
    if (threadIdx.x == 0) out[blockIdx.x] = shared[0];
}

/// Σ m x, Σ m y, Σ m z and Σ m; summed as above.
template <class Real>
__global__ void weighted_positions(const Vec4<Real>* bodies, std::uint64_t count, Vec4d* out) {
    const auto moment = [=](std::uint64_t i) {
        const Vec4<Real> body = bodies[i];
        const double m = body.w;
        return Vec4d{m * body.x, m * body.y, m * body.z, m};
    };
    add_in_blocks(moment, count, out);
}

/// Σ m a and Σ |m a|; summed as above.
template <class Real>
__global__ void add_forces(const Vec4<Real>* bodies, const Vec4<Real>* acceleration, std::uint64_t count, Vec4d* out) {
    const auto force = [=](std::uint64_t i) {
        const double m = bodies[i].w;
        const Vec4<Real> a = acceleration[i];
        const double x = m * a.x, y = m * a.y, z = m * a.z;
        return Vec4d{x, y, z, sqrt(x * x + y * y + z * z)};
    };
    add_in_blocks(force, count, out);
}

/// first[0]: index of the first non-finite vector.
template <class Real>
__global__ void find_not_finite(const Vec4<Real>* vectors, std::size_t count, unsigned long long* first) {
    const std::uint64_t i = thread_index();
    if (i >= count) return;
    if (!finite(vectors[i])) atomicMin(first, static_cast<unsigned long long>(i));
}

}  // namespace orrery::cuda
