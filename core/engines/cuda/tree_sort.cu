// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cub/block/block_reduce.cuh>
#include <cub/device/device_radix_sort.cuh>

#include "core/engines/cuda/tree_build.cuh"
#include "core/engines/cuda/tree_cells.cuh"

namespace orrery::cuda {
namespace {

constexpr unsigned kShares = 1024;  // blocks that add up shares, at most
inline Shape shares_of(std::uint64_t count) { return threads_for(count, kShares); }

template <class Real>
struct Bounds {
    Vec3<Real> low, high;
    Real mass;

    __device__ static Bounds none() {
        const Real far = std::numeric_limits<Real>::max();
        return {{far, far, far}, {-far, -far, -far}, 0};
    }
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

/// Each block encloses a share of the bodies, and the last one the shares, in a fixed order.
template <class Real>
__global__ void enclose_bodies(const Vec4<Real>* bodies, std::uint32_t count, double softening, Bounds<Real>* shares,
                               TreeState<Real>* state) {
    using Reduce = cub::BlockReduce<Bounds<Real>, kBlock>;
    __shared__ typename Reduce::TempStorage memory;
    const auto enclose_all = [](std::uint64_t first, std::uint64_t step, std::uint64_t end, auto&& at) {
        Bounds<Real> own = Bounds<Real>::none();
        for (std::uint64_t i = first; i < end; i += step) own = Enclose{}(own, at(i));
        return own;
    };
    const Bounds<Real> own = enclose_all(thread_index(), std::uint64_t{gridDim.x} * kBlock, count,
                                         [&](std::uint64_t i) { return BoundsOf<Real>{}(bodies[i]); });
    const Bounds<Real> share = Reduce{memory}.Reduce(own, Enclose{});
    if (threadIdx.x == 0) shares[blockIdx.x] = share;
    if (!last_of_grid(&state->tickets)) return;
    const Bounds<Real> all = Reduce{memory}.Reduce(
        enclose_all(threadIdx.x, kBlock, gridDim.x, [&](std::uint64_t i) { return shares[i]; }), Enclose{});
    if (threadIdx.x == 0) state->units = units_for(all, softening);
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
struct Gathering {
    const Vec4<Real>*bodies, *low;   ///< in the scene's order and units; null: leave those as they are
    const Vec4<Real>* acceleration;  ///< null: no strengths
    double G;
    const std::uint32_t* order;
    std::uint32_t count;
    Vec4<Real>*sorted, *sorted_low;
    Real *strength, *shares;
};

/// Brings bodies into the tree's order and units, with |acceleration| of each; their mean is taken in a fixed order.
template <class Real>
__global__ void gather(const Gathering<Real> in, TreeState<Real>* state) {
    const TreeUnits<Real>& units = state->units;
    const Real length = units.per_length, mass = units.per_mass;
    const Real strength_unit = in.acceleration ? Real(1 / (in.G * units.acceleration)) : Real(0);
    const auto in_units = [=](const Vec4<Real>& b) {
        return Vec4<Real>{length * b.x, length * b.y, length * b.z, mass * b.w};
    };
    if (in.bodies && thread_index() == 0) state->deeper = 0;  // what comes now looks at these keys anew
    Real sum = 0;
    for (std::uint64_t i = thread_index(); i < in.count; i += std::uint64_t{gridDim.x} * kBlock) {
        const std::uint32_t from = in.order[i];
        if (in.bodies) in.sorted[i] = in_units(in.bodies[from]);
        if (in.low) in.sorted_low[i] = in_units(in.low[from]);  // which has no mass
        if (!in.acceleration) continue;
        const Vec4<Real> a = in.acceleration[from];
        const Real x = a.x * strength_unit, y = a.y * strength_unit, z = a.z * strength_unit;
        const Real strength = sqrt(x * x + y * y + z * z);
        in.strength[i] = strength;
        sum += strength;
    }
    if (!in.acceleration) return;
    using Reduce = cub::BlockReduce<Real, kBlock>;
    __shared__ typename Reduce::TempStorage memory;
    const Real share = Reduce{memory}.Sum(sum);
    if (threadIdx.x == 0) in.shares[blockIdx.x] = share;
    if (!last_of_grid(&state->tickets)) return;
    sum = 0;
    for (unsigned i = threadIdx.x; i < gridDim.x; i += kBlock) sum += in.shares[i];
    const Real all = Reduce{memory}.Sum(sum);
    if (threadIdx.x == 0) state->units.mean_strength = all / Real(in.count);
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
void TreeBuilder<Real>::reserve_bodies(std::uint64_t count, cudaStream_t stream) {
    if (bodies_.size() >= count) return;
    const int levels = least_levels_;
    *this = TreeBuilder<Real>{};
    least_levels_ = levels;
    state_ = DeviceBuffer<TreeState<Real>>{1};
    check(cudaMemsetAsync(state_.data(), 0, sizeof(TreeState<Real>), stream), "clearing");
    shares_ = DeviceBuffer<Vec4<Real>>{kShares * ((sizeof(Bounds<Real>) - 1) / sizeof(Vec4<Real>) + 1)};
    bodies_ = DeviceBuffer<Vec4<Real>>{count};
    keys_ = DeviceBuffer<std::uint64_t>{count};
    sorted_keys_ = DeviceBuffer<std::uint64_t>{count};
    order_ = DeviceBuffer<std::uint32_t>{count};
    identity_ = DeviceBuffer<std::uint32_t>{count};
    strength_ = DeviceBuffer<Real>{count};
}

template <class Real>
void TreeBuilder<Real>::sort(const Vec4<Real>* bodies, std::uint64_t count, double softening, const TreeShape& shape,
                             cudaStream_t stream, const Vec4<Real>* low, const Previous<Real>& previous) {
    reserve_bodies(count, stream);
    unsorted_ = bodies;
    unsorted_low_ = low;
    previous_ = previous;
    if (low && low_.size() < count) low_ = DeviceBuffer<Vec4<Real>>{count};
    count_ = static_cast<std::uint32_t>(count);

    launch("enclose_bodies", shares_of(count), stream, enclose_bodies<Real>, bodies, count_, softening,
           reinterpret_cast<Bounds<Real>*>(shares_.data()), state_.data());
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
    gather_into_order(unsorted_, unsorted_low_, previous_, stream);
}

template <class Real>
void TreeBuilder<Real>::gather_into_order(const Vec4<Real>* bodies, const Vec4<Real>* low,
                                          const Previous<Real>& previous, cudaStream_t stream) {
    const Gathering<Real> gathering{.bodies = bodies,
                                    .low = low,
                                    .acceleration = previous.acceleration,
                                    .G = previous.G,
                                    .order = order_.data(),
                                    .count = count_,
                                    .sorted = bodies_.data(),
                                    .sorted_low = low_.data(),
                                    .strength = strength_.data(),
                                    .shares = reinterpret_cast<Real*>(shares_.data())};
    launch("gather", shares_of(count_), stream, gather<Real>, gathering, state_.data());
}

template <class Real>
void TreeBuilder<Real>::gather_strengths(const Previous<Real>& previous, cudaStream_t stream) {
    gather_into_order(nullptr, nullptr, previous, stream);
}

template class TreeBuilder<float>;
template class TreeBuilder<double>;

}  // namespace orrery::cuda
