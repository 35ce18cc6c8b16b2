// SPDX-License-Identifier: MIT
// Distances to k-th neighbours, by the method of core/bodies/neighbours.cpp: along the curve of the tree engines each
// 32 bodies are a leaf, each 32 leaves, and each 32 of what they make, a cell with a box. A warp has a leaf. All its
// lanes look for the neighbours of the body in its middle, which says how far the others probably have to look; then
// each lane measures its own body against what lies around the leaf. Few bodies have to look again.
#include "core/bodies/cuda/neighbours.hpp"

#include <algorithm>
#include <limits>
#include <vector>

#include "core/base/error.hpp"
#include "core/bodies/neighbours_device.hpp"
#include "core/cuda/device_buffer.hpp"
#include "core/cuda/event.hpp"
#include "core/cuda/info.hpp"
#include "core/cuda/launch.cuh"
#include "core/cuda/stream.hpp"
#include "core/cuda/warp.cuh"
#include "core/engines/cuda/tree/build.cuh"

namespace orrery {
namespace {

using cuda::DeviceBuffer;
using cuda::launch;
using cuda::linear;
using cuda::thread_index;

constexpr unsigned kLeaf = 32, kAll = ~0u;
constexpr int kMostLevels = 7;      // 32^7 bodies
constexpr float kMore = 1.00001f;   // for what rounding takes from squares of distances
constexpr float kProbably = 1.12f;  // as on the host
constexpr float kFarther2 = 1e6f;   // than any two bodies are, in units of the tree
constexpr unsigned kMostKept = 352;
/// Squares of distances that a lane keeps; about 1.4 k are within its reach, more on the shells of a lattice.
constexpr unsigned kept_for(unsigned k) { return std::min(kMostKept, 2 * k + 16); }
/// A leaf whose box is so much wider than the reach of a body in it has bodies far from one another.
constexpr float kWide = 6;

struct Box {
    Vec4f low, high;  ///< w is unused
};

/// Boxes of leaves, then of each 32 of the level below.
struct Levels {
    const Box* boxes[kMostLevels];
    unsigned counts[kMostLevels];
    int top;  ///< has 32 boxes or fewer
};

struct Search {
    const Vec4f* bodies;  ///< in curve order; those that are nowhere are not numbers
    unsigned count;
    Levels levels;
    const std::uint32_t* order;
    const unsigned* finite;  ///< how many there are
    const cuda::TreeState<float>* state;
    unsigned k, kept;
    float* distances;
};

__device__ float least_of_warp(float x) {
    for (int step = 16; step > 0; step /= 2) x = fminf(x, __shfl_xor_sync(kAll, x, step));
    return x;
}
__device__ float most_of_warp(float x) { return -least_of_warp(-x); }

/// Places that are not finite are nobody's neighbours: comparisons with what is not a number are false.
__global__ void take(const Vec4f* places, unsigned count, Vec4f* taken, unsigned* finite) {
    const std::uint64_t i = thread_index();
    const float nowhere = __int_as_float(0x7fffffff);
    bool good = false;
    if (i < count) {
        const Vec4f b = places[i];
        good = isfinite(b.x) && isfinite(b.y) && isfinite(b.z);
        taken[i] = good ? Vec4f{b.x, b.y, b.z, 1} : Vec4f{nowhere, nowhere, nowhere, 1};
    }
    const unsigned lanes = __ballot_sync(kAll, good);
    if (threadIdx.x % 32 == 0 && lanes != 0) atomicAdd(finite, static_cast<unsigned>(__popc(lanes)));
}

__device__ void write_box(Box* to, float lx, float ly, float lz, float hx, float hy, float hz) {
    const Box box{{least_of_warp(lx), least_of_warp(ly), least_of_warp(lz), 0},
                  {most_of_warp(hx), most_of_warp(hy), most_of_warp(hz), 0}};
    if (threadIdx.x % 32 == 0) *to = box;
}

/// A warp per leaf. Of nothing: a box that is far from everything.
__global__ void enclose_leaves(const Vec4f* bodies, unsigned count, Box* leaves) {
    const std::uint64_t i = thread_index();
    constexpr float kFar = std::numeric_limits<float>::infinity();
    const bool has = i < count && !isnan(bodies[i].x);
    const Vec4f b = has ? bodies[i] : Vec4f{};
    if (i / kLeaf * kLeaf >= count) return;
    write_box(leaves + i / kLeaf, has ? b.x : kFar, has ? b.y : kFar, has ? b.z : kFar, has ? b.x : -kFar,
              has ? b.y : -kFar, has ? b.z : -kFar);
}
__global__ void enclose_boxes(const Box* below, unsigned count, Box* above) {
    const std::uint64_t i = thread_index();
    constexpr float kFar = std::numeric_limits<float>::infinity();
    if (i / kLeaf * kLeaf >= count) return;
    const Box b = i < count ? below[i] : Box{{kFar, kFar, kFar, 0}, {-kFar, -kFar, -kFar, 0}};
    write_box(above + i / kLeaf, b.low.x, b.low.y, b.low.z, b.high.x, b.high.y, b.high.z);
}

__device__ float square_of(float x, float y, float z) { return __fmaf_rn(x, x, __fmaf_rn(y, y, __fmul_rn(z, z))); }
__device__ float between(const Vec4f& a, const Vec4f& b) { return square_of(a.x - b.x, a.y - b.y, a.z - b.z); }
__device__ float gap(float low_a, float high_a, float low_b, float high_b) {
    return fmaxf(fmaxf(low_a - high_b, low_b - high_a), 0.0f);
}

/// What a warp has in shared memory.
struct Shared {
    Vec4f staged[kLeaf];  ///< bodies of a leaf
    unsigned masks[kMostLevels], firsts[kMostLevels];
};

/// A bracket of the value with `before` others below it or equal: fewer than before + 1 are ≤ low, and at least that
/// many ≤ high. `pass` counts those ≤ a value, and says which is the largest of them and which the smallest beyond.
template <class Pass>
__device__ float nth_of(float high, unsigned of, unsigned before, const Pass& pass) {
    float low = 0;
    unsigned of_low = 0;
    for (int tries = 0;; ++tries) {
        float at;
        if (tries < 12) {  // as if they were spread evenly
            const float share = (static_cast<float>(before - of_low) + 0.5f) / static_cast<float>(of - of_low);
            at = fminf(fmaxf(low + share * (high - low), low), high);
        } else {
            at = __uint_as_float((__float_as_uint(low) + __float_as_uint(high)) / 2);
        }
        unsigned count;
        float largest, next;
        pass(at, count, largest, next);
        if (count == before + 1) return largest;
        if (count == before) return next;
        if (count > before) {
            high = largest, of = count;
        } else if (next >= high) {
            return high;
        } else {
            low = at, of_low = count;
        }
        if (high <= low || __float_as_uint(high) - __float_as_uint(low) <= 1) return high;
    }
}

class Warp {
public:
    __device__ Warp(const Search& in, Shared& shared, float* kept)
        : in_{in}, shared_{shared}, kept_{kept}, k_{min(in.k, *in.finite - 1)}, room_{in.kept * 32} {}

    __device__ void find(unsigned leaf) {
        const unsigned first = leaf * kLeaf, own = first + lane();
        const float nan = __int_as_float(0x7fffffff);
        const Vec4f body = own < in_.count ? in_.bodies[own] : Vec4f{nan, nan, nan, 0};
        const unsigned real = __ballot_sync(kAll, !isnan(body.x));
        if (own < in_.count && isnan(body.x)) in_.distances[in_.order[own]] = 0;
        if (real == 0) return;
        const unsigned middle_lane = __fns(real, 0, (static_cast<int>(__popc(real)) + 1) / 2);
        const Vec4f middle = of_lane(body, middle_lane);
        const float its2 = alone(middle, bound(first + middle_lane, middle));
        const float reach2 = kProbably * kProbably * its2;
        const Box& box = in_.levels.boxes[0][leaf];
        const bool wide = between(box.low, box.high) > kWide * kWide * reach2, is = (real >> lane() & 1) != 0;
        const unsigned found = wide ? 0 : measure_around(box, body, reach2);
        const bool good = found > k_ && found <= in_.kept;
        if (is && good) write(own, of_own(reach2, found));
        const float away = sqrtf(between(body, middle)), far = sqrtf(its2) + away;
        const float wider2 = found > k_ ? reach2 : far * far * kMore * kMore;
        for (unsigned again = __ballot_sync(kAll, is && !good); again != 0; again &= again - 1) {
            const unsigned which = static_cast<unsigned>(__ffs(static_cast<int>(again))) - 1;
            const Vec4f from = of_lane(body, which);
            float within2 = __shfl_sync(kAll, wider2, static_cast<int>(which));
            if (wide) within2 = fminf(within2, bound(first + which, from));
            const float distance2 = alone(from, within2);
            if (lane() == which) write(own, distance2);
        }
    }

private:
    __device__ static unsigned lane() { return threadIdx.x % 32; }
    __device__ static Vec4f of_lane(const Vec4f& b, unsigned from) {
        const int at = static_cast<int>(from);
        return {__shfl_sync(kAll, b.x, at), __shfl_sync(kAll, b.y, at), __shfl_sync(kAll, b.z, at), 0};
    }
    __device__ void write(unsigned own, float distance2) const {
        in_.distances[in_.order[own]] = sqrtf(distance2) / in_.state->units.per_length;
    }

    /// Which of 32 boxes are not farther from `box`.
    __device__ unsigned near_boxes(int level, unsigned first, const Box& box, float reach2) const {
        const unsigned cell = first + lane();
        bool near = false;
        if (cell < in_.levels.counts[level]) {
            const Box other = in_.levels.boxes[level][cell];
            near = square_of(gap(box.low.x, box.high.x, other.low.x, other.high.x),
                             gap(box.low.y, box.high.y, other.low.y, other.high.y),
                             gap(box.low.z, box.high.z, other.low.z, other.high.z)) <= reach2;
        }
        return __ballot_sync(kAll, near);
    }
    /// Those that are not farther from `box`, until `visit` says that it has enough.
    template <class Visit>
    __device__ void for_leaves(const Box& box, float reach2, const Visit& visit) const {
        const int top = in_.levels.top;
        int level = top;
        unsigned first = 0, mask = near_boxes(level, first, box, reach2);
        for (;;) {
            if (mask == 0) {
                if (level == top) return;
                ++level;
                mask = shared_.masks[level], first = shared_.firsts[level];
                __syncwarp();
                continue;
            }
            const unsigned cell = first + static_cast<unsigned>(__ffs(static_cast<int>(mask))) - 1;
            mask &= mask - 1;
            if (level == 0) {
                if (visit(cell)) return;
                continue;
            }
            if (lane() == 0) shared_.masks[level] = mask, shared_.firsts[level] = first;
            __syncwarp();
            --level;
            first = cell * kLeaf, mask = near_boxes(level, first, box, reach2);
        }
    }

    /// Keeps squares of distances from one place within a reach; returns how many there are, or if there is no room for
    /// them that there are more.
    __device__ unsigned collect(const Vec4f& from, float reach2) const {
        __syncwarp();
        unsigned found = 0;
        for_leaves({from, from}, reach2 * kMore, [&](unsigned leaf) {
            const unsigned i = leaf * kLeaf + lane();
            const float d2 = i < in_.count ? between(in_.bodies[i], from) : __int_as_float(0x7fffffff);
            found = keep(d2, reach2, found);
            return found > max(room_, k_ + 1);
        });
        __syncwarp();
        return found;
    }
    __device__ unsigned keep(float d2, float reach2, unsigned found) const {
        const unsigned within = __ballot_sync(kAll, d2 <= reach2);
        const unsigned at = found + static_cast<unsigned>(__popc(within & ((1u << lane()) - 1)));
        if (d2 <= reach2 && at < room_) kept_[at] = d2;
        return found + static_cast<unsigned>(__popc(within));
    }

    /// The square within which a body has k others: among those beside it on the curve, if these are enough.
    __device__ float bound(unsigned body, const Vec4f& at) const {
        const unsigned reach = min(k_ + k_ / 4 + 1, room_ / 2 - 1);
        const unsigned begin = body > reach ? body - reach : 0,
                       end = static_cast<unsigned>(min(static_cast<unsigned long long>(in_.count),
                                                       static_cast<unsigned long long>(body) + reach + 1));
        unsigned found = 0;
        __syncwarp();
        for (unsigned i = begin; i < end; i += 32) {
            const float d2 = i + lane() < end ? between(in_.bodies[i + lane()], at) : __int_as_float(0x7fffffff);
            found = keep(d2, kFarther2, found);
        }
        __syncwarp();
        return found > k_ ? of_all(found) : kFarther2;
    }

    /// The square of the distance to the k-th neighbour of a place of a body, which is not beyond `within2`; by all
    /// lanes.
    __device__ float alone(const Vec4f& from, float within2) const {
        float high = within2 * kMore, low = 0;
        unsigned found = collect(from, high);
        for (int tries = 0; found > room_; ++tries) {
            const float at =
                low == 0 && tries < 16 ? high / 4 : __uint_as_float((__float_as_uint(low) + __float_as_uint(high)) / 2);
            if (at <= low || at >= high) return high;  // so many are in one place
            const unsigned nearer = collect(from, at);
            if (nearer > k_)
                high = at, found = nearer;
            else
                low = at;
        }
        return of_all(found);
    }

    /// Of `found` that the warp has kept.
    __device__ float of_all(unsigned found) const {
        float largest = 0;
        for (unsigned i = lane(); i < found; i += 32) largest = fmaxf(largest, kept_[i]);
        largest = most_of_warp(largest);
        return nth_of(largest, found, k_, [&](float at, unsigned& count, float& below, float& beyond) {
            count = 0, below = 0, beyond = std::numeric_limits<float>::infinity();
            for (unsigned i = lane(); i < found; i += 32) tell(kept_[i], at, count, below, beyond);
            count = cuda::sum_of_warp(count), below = most_of_warp(below), beyond = least_of_warp(beyond);
        });
    }
    /// Of `found` that this lane has kept; lanes end at different times.
    __device__ float of_own(float high, unsigned found) const {
        return nth_of(high, found, k_, [&](float at, unsigned& count, float& below, float& beyond) {
            count = 0, below = 0, beyond = std::numeric_limits<float>::infinity();
            for (unsigned i = 0; i < found; ++i) tell(kept_[i * 32 + lane()], at, count, below, beyond);
        });
    }
    __device__ static void tell(float d2, float at, unsigned& count, float& below, float& beyond) {
        if (d2 <= at)
            ++count, below = fmaxf(below, d2);
        else
            beyond = fminf(beyond, d2);
    }

    /// Each lane keeps what lies within a reach of its own body; returns how many there are, of which it keeps the
    /// first.
    __device__ unsigned measure_around(const Box& box, const Vec4f& body, float reach2) const {
        __syncwarp();
        unsigned found = 0;
        const float farthest2 = reach2 * kMore;
        for_leaves(box, farthest2, [&](unsigned other) {
            const Box theirs = in_.levels.boxes[0][other];
            const float away2 = square_of(gap(body.x, body.x, theirs.low.x, theirs.high.x),
                                          gap(body.y, body.y, theirs.low.y, theirs.high.y),
                                          gap(body.z, body.z, theirs.low.z, theirs.high.z));
            if (__ballot_sync(kAll, away2 <= farthest2) == 0) return false;
            const unsigned i = other * kLeaf + lane(), end = min(kLeaf, in_.count - other * kLeaf);
            __syncwarp();
            if (i < in_.count) shared_.staged[lane()] = in_.bodies[i];
            __syncwarp();
            for (unsigned j = 0; j < end; ++j) {
                const float d2 = between(shared_.staged[j], body);
                if (!(d2 <= reach2)) continue;
                if (found < in_.kept) kept_[found * 32 + lane()] = d2;
                ++found;
            }
            return false;
        });
        __syncwarp();
        return found;
    }

    const Search& in_;
    Shared& shared_;
    float* kept_;
    const unsigned k_, room_;
};

__global__ void __launch_bounds__(32, 24) find_neighbours(const __grid_constant__ Search in) {
    extern __shared__ float kept[];
    __shared__ Shared shared;
    if (*in.finite < 2) {
        const unsigned own = blockIdx.x * kLeaf + threadIdx.x;
        if (own < in.count) in.distances[in.order[own]] = 0;
        return;
    }
    Warp{in, shared, kept}.find(blockIdx.x);
}

}  // namespace

struct DeviceNeighbours::Memory {
    cuda::TreeBuilder<float> tree;
    DeviceBuffer<Vec4f> taken;
    DeviceBuffer<unsigned> finite;
    DeviceBuffer<Box> boxes;
};

DeviceNeighbours::DeviceNeighbours() : memory_{std::make_unique<Memory>()} {}
DeviceNeighbours::~DeviceNeighbours() = default;

void DeviceNeighbours::find(const Vec4f* places, std::size_t count, int k, float* distances, std::uint32_t* order,
                            cudaStream_t stream) {
    if (count == 0) return;
    Memory& m = *memory_;
    const auto bodies = static_cast<unsigned>(count);
    if (m.finite.size() == 0) m.finite = DeviceBuffer<unsigned>{1};
    if (m.taken.size() < count) m.taken = {}, m.taken = DeviceBuffer<Vec4f>{count + count / 8};
    cuda::check(cudaMemsetAsync(m.finite.data(), 0, sizeof(unsigned), stream), "counting places from 0");
    launch("neighbours: take", linear(count), stream, take, places, bodies, m.taken.data(), m.finite.data());
    m.tree.sort(m.taken.data(), count, 0, {kLeaf, kLeaf, kLeaf}, stream);
    const cuda::TreeView<float> tree = m.tree.view();
    if (order != nullptr)
        cuda::check(cudaMemcpyAsync(order, tree.order, count * sizeof *order, cudaMemcpyDeviceToDevice, stream),
                    "copying the order of bodies");

    Levels levels{};
    std::size_t all = 0;
    for (unsigned of = bodies;; ++levels.top) {
        of = (of + kLeaf - 1) / kLeaf;
        levels.counts[levels.top] = of, all += of;
        if (of <= kLeaf) break;
    }
    if (m.boxes.size() < all) m.boxes = {}, m.boxes = DeviceBuffer<Box>{all + all / 8};
    Box* next = m.boxes.data();
    for (int level = 0; level <= levels.top; ++level) {
        levels.boxes[level] = next;
        if (level == 0)
            launch("neighbours: leaves", linear(count), stream, enclose_leaves, tree.bodies, bodies, next);
        else
            launch("neighbours: boxes", linear(levels.counts[level - 1]), stream, enclose_boxes,
                   levels.boxes[level - 1], levels.counts[level - 1], next);
        next += levels.counts[level];
    }
    const auto wanted = static_cast<unsigned>(std::max(k, 1));
    const unsigned kept = kept_for(std::min(wanted, kMostKept));
    launch("neighbours: find", {dim3(levels.counts[0]), dim3(32), std::size_t{kept} * 32 * sizeof(float)}, stream,
           find_neighbours,
           Search{tree.bodies, bodies, levels, tree.order, m.finite.data(), tree.state, wanted, kept, distances});
}

DeviceDistances neighbours_on_device(std::span<const Vec4f> places, int k, int repeat) {
    if (!cuda_info().available) environment_error(cuda_info().reason);
    DeviceDistances found{std::vector<float>(places.size()), 0};
    if (places.empty()) return found;
    const cuda::Stream stream;
    DeviceBuffer<Vec4f> bodies{places.size()};
    DeviceBuffer<float> distances{places.size()};
    upload(places, bodies, stream.get());
    DeviceNeighbours neighbours;
    std::vector<double> seconds;
    for (int i = 0; i <= std::max(repeat, 1); ++i) {  // the first time it allocates
        const cuda::Event start, end;
        start.record(stream.get());
        neighbours.find(bodies.data(), places.size(), k, distances.data(), nullptr, stream.get());
        end.record(stream.get());
        const double took = end.seconds_since(start);
        if (i > 0) seconds.push_back(took);
    }
    std::ranges::sort(seconds);
    found.seconds = seconds[seconds.size() / 2];
    download(distances, std::span{found.distances}, stream.get());
    stream.wait();
    return found;
}

}  // namespace orrery
