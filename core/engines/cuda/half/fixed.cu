// SPDX-License-Identifier: MIT
// Fixed-point scales for order-independent sums: bounds the sums from the extent, mass and softening of the bodies, and
// converts the integer limbs back.
#include "core/engines/cuda/half/sums.cuh"

namespace orrery::cuda {
namespace {

constexpr unsigned kScaleThreads = 512;

/// Bounding box, and a sum of masses.
struct Spread {
    double low[3], high[3], mass;

    template <class Real>
    __device__ static Spread of(const Vec4<Real>& b) {
        return {{b.x, b.y, b.z}, {b.x, b.y, b.z}, fabs(double(b.w))};
    }
    __device__ void add(const Spread& other) {
        for (int c = 0; c < 3; ++c) low[c] = fmin(low[c], other.low[c]), high[c] = fmax(high[c], other.high[c]);
        mass += other.mass;
    }
    __device__ double radius2() const {
        double sum = 0;
        for (int c = 0; c < 3; ++c) sum += 0.25 * (high[c] - low[c]) * (high[c] - low[c]);
        return sum;
    }
};

/// The spread of all vectors, in thread 0; computed by one block, so that masses are added in a fixed order.
template <class Real>
__device__ Spread spread_of(const Vec4<Real>* vectors, std::uint64_t count) {
    __shared__ Spread shared[kScaleThreads];
    Spread own = Spread::of(vectors[0]);
    own.mass = 0;
    for (std::uint64_t i = threadIdx.x; i < count; i += kScaleThreads) own.add(Spread::of(vectors[i]));
    __syncthreads();  // of the previous call
    shared[threadIdx.x] = own;
    for (unsigned half = kScaleThreads / 2; half > 0; half /= 2) {
        __syncthreads();
        if (threadIdx.x < half) shared[threadIdx.x].add(shared[threadIdx.x + half]);
    }
    if (threadIdx.x == 0) own = shared[0];
    return own;
}

/// The geometric mean of the squared distances of up to 512 pairs of bodies half the array apart, in thread 0; 0 if all
/// of them coincide. Unlike the box, it is hardly changed by a few distant bodies.
template <class Real>
__device__ double typical_distance2(const Vec4<Real>* bodies, std::uint64_t count) {
    struct Logarithms {
        double sum, number;
    };
    __shared__ Logarithms shared[kScaleThreads];
    Logarithms own{0, 0};
    const std::uint64_t pairs = count < kScaleThreads ? count : kScaleThreads;
    for (std::uint64_t pair = threadIdx.x; pair < pairs; pair += kScaleThreads) {
        const std::uint64_t i = pair * count / pairs;
        const Vec4<Real> a = bodies[i], b = bodies[(i + count / 2) % count];
        const double x = double(a.x) - b.x, y = double(a.y) - b.y, z = double(a.z) - b.z, d2 = x * x + y * y + z * z;
        if (d2 > 0) own.sum += log(d2), own.number += 1;
    }
    shared[threadIdx.x] = own;
    for (unsigned half = kScaleThreads / 2; half > 0; half /= 2) {
        __syncthreads();
        if (threadIdx.x < half) {
            shared[threadIdx.x].sum += shared[threadIdx.x + half].sum;
            shared[threadIdx.x].number += shared[threadIdx.x + half].number;
        }
    }
    return threadIdx.x == 0 && shared[0].number > 0 ? exp(shared[0].sum / shared[0].number) : 0;
}

/// The smallest power of two that is at least x; 1 if x is not positive or is too large.
__device__ double power_above(double x) {
    if (!(x > 0 && x < 1e300)) return 1;
    int exponent;
    frexp(x, &exponent);
    return ldexp(1.0, exponent);
}

/// `typical`: the magnitude of most sums; `bound`: an upper bound of all sums, if there is softening. A sum of n
/// additions, each below 2^(62 − log₂ n) · coarse, cannot wrap around; neither can the remainders, each below coarse /
/// 2. coarse = typical / 64 leaves room for forces 2^(56 − log₂ n) times the typical one, as between two bodies that
/// differ in the last digits of a float position. A larger bound enlarges coarse, but only while the resolution stays
/// within 2⁻⁴⁴ of the typical sum: it is better to report an overflow for so close a pair than to degrade all other
/// forces.
__device__ FixedScale fixed_scale(double typical, double bound, int additions_log2) {
    const int room = 62 - additions_log2;
    const double unit = power_above(typical);
    double coarse = unit / 64;
    if (bound > ldexp(coarse, room))
        coarse = fmax(coarse, fmin(power_above(ldexp(bound, -room)), ldexp(unit, room - 1 - 44)));
    const double fine = ldexp(coarse, 1 - room);
    return {coarse, fine, 1 / coarse, 1 / fine, ldexp(coarse, room)};
}

__device__ double cubed(double x) { return x * x * x; }

/// One block.
template <class Real>
__global__ void fixed_scales(const Vec4<Real>* bodies, const Vec4<Real>* velocity, std::uint64_t count,
                             double softening, int additions_log2, FixedScales* scales) {
    const Spread all = spread_of(bodies, count);
    const double pairs2 = typical_distance2(bodies, count);
    double speed2 = 0;
    if (velocity) speed2 = spread_of(velocity, count).radius2();
    if (threadIdx.x != 0) return;
    // A distant body makes the box, and with it the scale, useless for all others.
    constexpr double kFarAway = 1e-12;
    double radius2 = all.radius2();
    if (pairs2 > 0 && pairs2 < kFarAway * radius2) radius2 = pairs2;
    const double distance2 = radius2 + softening * softening, distance = sqrt(distance2);
    const bool softened = softening > 0;
    // x/(x² + ε²)^(3/2) is largest at x = ε/√2: 0.385/ε².
    const double force_bound = softened ? 0.385 * all.mass / (softening * softening) : 0;
    const double potential_bound = softened ? all.mass / softening : 0;
    const double cube = distance2 * distance;
    FixedScales found{fixed_scale(all.mass * sqrt(radius2) / cube, force_bound, additions_log2),
                      fixed_scale(all.mass / distance, potential_bound, additions_log2)};
    scales[0] = found;
    if (!velocity) return;
    // |v − 3 (x·v)/D x|/D^(3/2) is largest at x = 0: v/ε³; the velocities of two bodies differ by at most two radii.
    const double speed = sqrt(speed2), jerk_bound = softened ? 2 * all.mass * speed / cubed(softening) : 0;
    found.force = fixed_scale(all.mass * speed / cube, jerk_bound, additions_log2);
    scales[1] = found;
}

__device__ double value_of(unsigned long long high, unsigned long long low, const FixedScale& scale) {
    const auto limb = [](unsigned long long bits) { return static_cast<double>(static_cast<long long>(bits)); };
    return fma(limb(high), scale.coarse, limb(low) * scale.fine);
}

template <class Real>
__global__ void add_fixed(const HalfArgs<Real> in, Vec4<Real>* acceleration, Real G) {
    const std::uint64_t i = thread_index();
    if (i >= in.count) return;
    const auto* planes = static_cast<const unsigned long long*>(in.sums);
    unsigned long long limbs[8]{};
    for (unsigned copy = 0; copy < in.copies; ++copy)
        for (unsigned plane = 0; plane < 8; ++plane) limbs[plane] += planes[(copy * 8 + plane) * in.count + i];
    const FixedScales scales = *in.scales;
    Vec4<Real> sum{Real(value_of(limbs[0], limbs[1], scales.force)), Real(value_of(limbs[2], limbs[3], scales.force)),
                   Real(value_of(limbs[4], limbs[5], scales.force)),
                   Real(value_of(limbs[6], limbs[7], scales.potential))};
    if (*in.overflow != 0) sum.x = sum.y = sum.z = sum.w = Real(NAN);  // report the overflow
    acceleration[i] = finished(sum, G);
}

int log2_above(std::uint64_t n) {
    int bits = 0;
    while ((std::uint64_t{1} << bits) < n) ++bits;
    return bits;
}

}  // namespace

template <class Real>
void enqueue_fixed_scales(const Vec4<Real>* bodies, const Vec4<Real>* velocity, std::uint64_t count, double softening,
                          std::uint64_t additions, FixedScales* d_scales, cudaStream_t stream) {
    launch("fixed_scales", {dim3(1), dim3(kScaleThreads)}, stream, fixed_scales<Real>, bodies, velocity, count,
           softening, log2_above(additions), d_scales);
}

template <class Real>
void enqueue_add_fixed(const HalfArgs<Real>& in, Vec4<Real>* acceleration, Real G, cudaStream_t stream) {
    launch("add_fixed", linear(in.count), stream, add_fixed<Real>, in, acceleration, G);
}

template void enqueue_fixed_scales(const Vec4<float>*, const Vec4<float>*, std::uint64_t, double, std::uint64_t,
                                   FixedScales*, cudaStream_t);
template void enqueue_fixed_scales(const Vec4<double>*, const Vec4<double>*, std::uint64_t, double, std::uint64_t,
                                   FixedScales*, cudaStream_t);
template void enqueue_add_fixed(const HalfArgs<float>&, Vec4<float>*, float, cudaStream_t);
template void enqueue_add_fixed(const HalfArgs<double>&, Vec4<double>*, double, cudaStream_t);

}  // namespace orrery::cuda
