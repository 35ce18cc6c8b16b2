// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_reduce.cuh>

#include "core/cuda/launch.cuh"
#include "core/engines/cuda/tree_build.cuh"

namespace orrery::cuda {
namespace {

template <class Real>
struct Bounds {
    Vec3<Real> low, high;
    Real mass;
};

/// A body that is lost, NaN or infinite, has no part in the bounds: the others are still to be told apart.
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

struct Enclose {
    template <class Real>
    __device__ Bounds<Real> operator()(const Bounds<Real>& a, const Bounds<Real>& b) const {
        return {{min(a.low.x, b.low.x), min(a.low.y, b.low.y), min(a.low.z, b.low.z)},
                {max(a.high.x, b.high.x), max(a.high.y, b.high.y), max(a.high.z, b.high.z)},
                a.mass + b.mass};
    }
};

/// The power of two that brings x, if it is a size, below 1 and to at least a half.
template <class Real>
__device__ Real per_unit(Real x) {
    if (!(x > 0)) return 1;
    int exponent;
    frexp(x, &exponent);
    const int most = sizeof(Real) == 4 ? 120 : 1000;
    return ldexp(Real(1), max(-most, min(most, -exponent)));
}

template <class Real>
__global__ void choose_units(const Bounds<Real>* bounds, double softening, TreeState<Real>* state) {
    const Bounds<Real> b = *bounds;
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
    state->units = u;
}

template <class Real>
__global__ void make_keys(const Vec4<Real>* bodies, std::uint32_t count, const TreeState<Real>* state,
                          std::uint64_t* keys, std::uint32_t* identity) {
    const std::uint64_t i = thread_index();
    if (i >= count) return;
    keys[i] = key_of(state->units.grid, xyz(bodies[i]));
    identity[i] = static_cast<std::uint32_t>(i);
}

template <class Real>
__global__ void gather_bodies(const Vec4<Real>* bodies, const std::uint32_t* order, std::uint32_t count,
                              const TreeState<Real>* state, Vec4<Real>* sorted) {
    const std::uint64_t i = thread_index();
    if (i >= count) return;
    const Real length = state->units.per_length, mass = state->units.per_mass;
    const Vec4<Real> b = bodies[order[i]];
    sorted[i] = {length * b.x, length * b.y, length * b.z, mass * b.w};
}

template <class Real>
__global__ void gather_strength(const Vec4<Real>* acceleration, const std::uint32_t* order, std::uint32_t count,
                                double G, const TreeState<Real>* state, Real* strength) {
    const std::uint64_t i = thread_index();
    if (i >= count) return;
    const Real per_unit = Real(1 / (G * state->units.acceleration));
    const Vec4<Real> a = acceleration[order[i]];
    const Real x = a.x * per_unit, y = a.y * per_unit, z = a.z * per_unit;
    strength[i] = sqrt(x * x + y * y + z * z);
}

template <class Real>
__global__ void finish_mean(Real* mean, std::uint32_t count) {
    *mean /= Real(count);
}

}  // namespace

int whole_passes(int levels) {
    constexpr int digit = 8;  // bits that the sort takes at a time
    const int passes = (3 * levels + digit - 1) / digit;
    return std::min(passes * digit / 3, kKeyLevels);
}

template <class Real>
void* TreeBuilder<Real>::scratch(std::size_t bytes) {
    if (scratch_.size() < bytes) scratch_ = {}, scratch_ = DeviceBuffer<std::byte>{bytes};
    return scratch_.data();
}

template <class Real>
void TreeBuilder<Real>::reserve_bodies(std::uint64_t count) {
    if (bodies_.size() >= count) return;
    const int levels = least_levels_;
    *this = TreeBuilder<Real>{};
    least_levels_ = levels;
    state_ = DeviceBuffer<TreeState<Real>>{1};
    bounds_ = DeviceBuffer<Vec4<Real>>{(sizeof(Bounds<Real>) + sizeof(Vec4<Real>) - 1) / sizeof(Vec4<Real>)};
    bodies_ = DeviceBuffer<Vec4<Real>>{count};
    keys_ = DeviceBuffer<std::uint64_t>{count};
    sorted_keys_ = DeviceBuffer<std::uint64_t>{count};
    order_ = DeviceBuffer<std::uint32_t>{count};
    identity_ = DeviceBuffer<std::uint32_t>{count};
    strength_ = DeviceBuffer<Real>{count};
    starts_ = DeviceBuffer<std::uint8_t>{count};
}

template <class Real>
void TreeBuilder<Real>::sort(const Vec4<Real>* bodies, std::uint64_t count, double softening, const TreeShape& shape,
                             cudaStream_t stream, const Vec4<Real>* low) {
    reserve_bodies(count);
    unsorted_ = bodies;
    unsorted_low_ = low;
    if (low && low_.size() < count) low_ = DeviceBuffer<Vec4<Real>>{count};
    count_ = static_cast<std::uint32_t>(count);
    const auto n = static_cast<std::int64_t>(count);

    auto* bounds = reinterpret_cast<Bounds<Real>*>(bounds_.data());
    const Real far = std::numeric_limits<Real>::max();
    const Bounds<Real> none{{far, far, far}, {-far, -far, -far}, 0};
    const auto enclose = [&](void* memory, std::size_t& bytes) {
        check(cub::DeviceReduce::TransformReduce(memory, bytes, bodies, bounds, n, Enclose{}, BoundsOf<Real>{}, none,
                                                 stream),
              "bounds of all bodies");
    };
    std::size_t bytes = 0;
    enclose(nullptr, bytes);
    enclose(scratch(bytes), bytes);
    launch("choose_units", {dim3(1), dim3(1)}, stream, choose_units<Real>, bounds, softening, state_.data());

    launch("make_keys", linear(count), stream, make_keys<Real>, bodies, count_, state_.data(), keys_.data(),
           identity_.data());
    // Evenly spread bodies need log₈(count / leaf) levels, spheres with a dense centre up to six more. build() sees
    // whether that has been enough.
    int levels = 6;
    for (std::uint64_t cells = shape.leaf; cells < count; cells *= 8) ++levels;
    sort_keys(std::max(least_levels_, whole_passes(levels)), stream);
}

/// By the first `levels` levels of the tree; bodies that these do not tell apart stay in the scene's order.
template <class Real>
void TreeBuilder<Real>::sort_keys(int levels, cudaStream_t stream) {
    sorted_levels_ = levels;
    const auto radix = [&](void* memory, std::size_t& needed) {
        check(cub::DeviceRadixSort::SortPairs(memory, needed, keys_.data(), sorted_keys_.data(), identity_.data(),
                                              order_.data(), static_cast<std::int64_t>(count_),
                                              3 * (kKeyLevels - levels), 3 * kKeyLevels, stream),
              "sorting keys");
    };
    std::size_t bytes = 0;
    radix(nullptr, bytes);
    radix(scratch(bytes), bytes);
    launch("gather_bodies", linear(count_), stream, gather_bodies<Real>, unsorted_, order_.data(), count_,
           state_.data(), bodies_.data());
    if (unsorted_low_)  // which have no mass
        launch("gather_low", linear(count_), stream, gather_bodies<Real>, unsorted_low_, order_.data(), count_,
               state_.data(), low_.data());
}

template <class Real>
void TreeBuilder<Real>::gather_strengths(const Previous<Real>& previous, cudaStream_t stream) {
    launch("gather_strength", linear(count_), stream, gather_strength<Real>, previous.acceleration, order_.data(),
           count_, previous.G, state_.data(), strength_.data());
    Real* mean = &state_.data()->units.mean_strength;
    const auto add = [&](void* memory, std::size_t& bytes) {
        check(cub::DeviceReduce::Sum(memory, bytes, strength_.data(), mean, static_cast<std::int64_t>(count_), stream),
              "mean strength");
    };
    std::size_t bytes = 0;
    add(nullptr, bytes);
    add(scratch(bytes), bytes);
    launch("finish_mean", {dim3(1), dim3(1)}, stream, finish_mean<Real>, mean, count_);
}

template class TreeBuilder<float>;
template class TreeBuilder<double>;

}  // namespace orrery::cuda
