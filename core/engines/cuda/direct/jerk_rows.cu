// SPDX-License-Identifier: MIT
// Direct summation of forces and jerks on some bodies: rows in registers, columns in tiles of shared memory, divided
// into splits whose sums are added in a fixed order.
#include "core/engines/cuda/direct/jerk_rows.hpp"

#include <algorithm>
#include <type_traits>

#include "core/cuda/info.hpp"
#include "core/cuda/launch.cuh"
#include "core/engines/cuda/direct/tuning.hpp"
#include "core/engines/cuda/settings.hpp"
#include "core/physics/pair.cuh"

namespace orrery::cuda {
namespace {

constexpr unsigned kRows = 64;  // rows and threads per block, and columns per tile
/// Tiles that a thread sums separately before it adds them up, to limit rounding: 256 columns.
constexpr unsigned kTilesOfSum = 4;
/// Upper bound of the memory for partial sums, unless a single split needs more.
constexpr std::uint64_t kPartialBytes = 256 << 20;

template <class Real>
struct JerkArgs {
    const Vec4<Real>*bodies, *velocity;
    std::uint64_t count;
    const std::uint32_t* rows;
    std::uint64_t row_count;
    std::uint64_t first_item;  ///< item = block of rows · splits + split
    unsigned splits;
    Real softening2;
    Vec4<Real>*accelerations, *jerks;  ///< [row][split]
};

/// A sum and, in single precision, what its additions have lost so far (Knuth 1969, 4.2.2).
template <class Real>
struct Total {
    Real sum{}, lost{};

    __device__ __forceinline__ void add(Real part) {
        const Real next = sum + part, added = next - sum;
        if constexpr (std::is_same_v<Real, float>) lost += (sum - (next - added)) + (part - added);
        sum = next;
    }
};
template <class Real>
struct JerkTotal {
    Total<Real> acceleration[4], jerk[3];

    __device__ __forceinline__ void add(const JerkSum<Real>& part) {
        const Sum<Real>&a = part.acceleration, &j = part.jerk;
        acceleration[0].add(a.x), acceleration[1].add(a.y), acceleration[2].add(a.z), acceleration[3].add(a.w);
        jerk[0].add(j.x), jerk[1].add(j.y), jerk[2].add(j.z);
    }
};

/// blockDim.x is kRows. Columns are summed from the last to the first, as by tiled().
template <class Real>
__global__ void jerk_rows(const __grid_constant__ JerkArgs<Real> in) {
    __shared__ Vec4<Real> place[kRows], velocity[kRows];
    const std::uint64_t item = in.first_item + blockIdx.x;
    const unsigned split = static_cast<unsigned>(item % in.splits);
    const std::uint64_t row = item / in.splits * kRows + threadIdx.x;
    const std::uint32_t self = in.rows[min(row, in.row_count - 1)];  // padding repeats the last row and is not stored
    const Vec4<Real> x = in.bodies[self], v = in.velocity[self];
    const std::uint64_t tiles = (in.count + kRows - 1) / kRows;
    const std::uint64_t first = tiles * split / in.splits;
    JerkTotal<Real> total;
    JerkSum<Real> part;
    unsigned summed = 0;
    for (std::uint64_t tile = tiles * (split + 1) / in.splits; tile-- > first;) {
        const std::uint64_t column = tile * kRows + threadIdx.x;
        __syncthreads();
        // Padding has mass 0 and exerts no force.
        place[threadIdx.x] = column < in.count ? in.bodies[column] : Vec4<Real>{};
        velocity[threadIdx.x] = column < in.count ? in.velocity[column] : Vec4<Real>{};
        __syncthreads();
#pragma unroll 4
        for (unsigned j = kRows; j-- > 0;) {
            const Vec4<Real> other = place[j];
            const MovingPair<Real> pair = moving_pair(x, v, other, velocity[j], other.w, in.softening2);
            part.add(pair, pair.factor, tile * kRows + j == self ? Real(0) : other.w);
        }
        if (++summed == kTilesOfSum) total.add(part), part = {}, summed = 0;
    }
    total.add(part);
    if (row >= in.row_count) return;
    const auto of = [](const Total<Real>& each) { return each.sum + each.lost; };
    in.accelerations[row * in.splits + split] = {of(total.acceleration[0]), of(total.acceleration[1]),
                                                 of(total.acceleration[2]), of(total.acceleration[3])};
    in.jerks[row * in.splits + split] = {of(total.jerk[0]), of(total.jerk[1]), of(total.jerk[2]), 0};
}

constexpr unsigned kAddThreads = 256;

/// Adds up the splits with one warp per row: each lane adds its own in order, then lanes are combined pairwise, so the
/// order is always the same. In double: this costs nothing beside reading the splits.
template <class Real>
__global__ void add_jerk_splits(const __grid_constant__ JerkArgs<Real> in, Vec4<Real>* acceleration, Vec4<Real>* jerk,
                                Real G) {
    const std::uint64_t row = thread_index() / 32;
    if (row >= in.row_count) return;  // the whole warp returns
    const unsigned lane = threadIdx.x % 32;
    JerkSum<double> sum;
    for (unsigned s = lane; s < in.splits; s += 32) {
        const Vec4<Real> a = in.accelerations[row * in.splits + s], j = in.jerks[row * in.splits + s];
        sum.add(JerkSum<double>{{a.x, a.y, a.z, a.w}, {j.x, j.y, j.z, 0}});
    }
    const auto across = [](double value) {
        for (int away = 16; away > 0; away /= 2) value += __shfl_xor_sync(~0u, value, away);
        return static_cast<Real>(value);
    };
    const Vec4<Real> attraction{across(sum.acceleration.x), across(sum.acceleration.y), across(sum.acceleration.z),
                                across(sum.acceleration.w)};
    const Vec4<Real> change{G * across(sum.jerk.x), G * across(sum.jerk.y), G * across(sum.jerk.z), 0};
    if (lane != 0) return;
    const std::uint32_t self = in.rows[row];
    acceleration[self] = finished(attraction, G);
    jerk[self] = change;
}

}  // namespace

template <class Real>
std::uint64_t JerkRows<Real>::items() const {
    return (motion_.row_count + kRows - 1) / kRows * splits_;
}

template <class Real>
std::uint64_t JerkRows<Real>::begin(BodyView<Device, Real> bodies, JerkView<Device, Real> motion,
                                    const Gravity& gravity) {
    bodies_ = bodies, motion_ = motion, gravity_ = gravity;
    const auto multiprocessors = static_cast<std::uint64_t>(cuda_info().devices.front().multiprocessors);
    const std::uint64_t row_blocks = (motion.row_count + kRows - 1) / kRows, tiles = (bodies.count + kRows - 1) / kRows;
    const std::uint64_t wanted = std::max<std::uint64_t>(1, multiprocessors * kBlocksOfJerks / row_blocks);
    const std::uint64_t fit = std::max<std::uint64_t>(1, kPartialBytes / (motion.row_count * 2 * sizeof(Vec4<Real>)));
    splits_ = static_cast<unsigned>(std::min({wanted, fit, tiles}));
    const std::uint64_t need = motion.row_count * splits_;
    if (accelerations_.size() < need) {
        accelerations_ = {}, jerks_ = {};
        accelerations_ = DeviceBuffer<Vec4<Real>>{need}, jerks_ = DeviceBuffer<Vec4<Real>>{need};
    }
    return items();
}

template <class Real>
void JerkRows<Real>::run(std::uint64_t first, std::uint64_t last, cudaStream_t stream) {
    if (first >= last) return;
    const auto softening = static_cast<Real>(gravity_.softening);
    const JerkArgs<Real> args{.bodies = bodies_.position_mass,
                              .velocity = motion_.velocity,
                              .count = bodies_.count,
                              .rows = motion_.rows,
                              .row_count = motion_.row_count,
                              .first_item = first,
                              .splits = splits_,
                              .softening2 = softening * softening,
                              .accelerations = accelerations_.data(),
                              .jerks = jerks_.data()};
    launch("jerk_rows", {dim3(static_cast<unsigned>(last - first)), dim3(kRows)}, stream, jerk_rows<Real>, args);
    if (last < items()) return;
    constexpr unsigned rows_of_block = kAddThreads / 32;
    const auto blocks = static_cast<unsigned>((motion_.row_count + rows_of_block - 1) / rows_of_block);
    launch("add_jerk_splits", {dim3(blocks), dim3(kAddThreads)}, stream, add_jerk_splits<Real>, args,
           bodies_.acceleration, motion_.jerk, static_cast<Real>(gravity_.constant));
}

template <class Real>
std::string JerkRows<Real>::choice() const {
    return describe_jerk_rows(kRows, splits_);
}

template class JerkRows<float>;
template class JerkRows<double>;

}  // namespace orrery::cuda
