// SPDX-License-Identifier: MIT
#pragma once
// Search of one warp for the k-th neighbours of a leaf's bodies; see neighbours.cu.
#include <algorithm>
#include <cstdint>
#include <limits>

#include "core/base/vec.hpp"
#include "core/cuda/launch.cuh"
#include "core/spatial/box.hpp"

namespace orrery::neighbours {

inline constexpr unsigned kLeaf = 32, kAll = ~0u;
inline constexpr int kMostLevels = 7;      // 32^7 bodies
inline constexpr float kMore = 1.00001f;   // allows for rounding of squared distances
inline constexpr float kProbably = 1.12f;  // as on the host
inline constexpr float kFarther2 = 1e6f;   // larger than any squared distance, in units of the tree
inline constexpr unsigned kMostKept = 352;
/// Number of squared distances stored per lane; about 1.4 k are within reach, more on the shells of a lattice.
constexpr unsigned kept_for(unsigned k) { return std::min(kMostKept, 2 * k + 16); }
/// A leaf whose box is wider than this multiple of the search radius contains bodies far from each other.
inline constexpr float kWide = 6;
/// Limit of leaves searched around a leaf, per stored distance of a lane.
inline constexpr unsigned kMostAround = 8;

using LeafBox = Box<Vec4f>;

/// Bounding boxes of the leaves, then of 32 boxes of the level below each.
struct Levels {
    const LeafBox* boxes[kMostLevels];
    unsigned counts[kMostLevels];
    int top;  ///< first level with at most 32 boxes
};

/// A body to be searched again: its index along the curve, and a squared distance that contains its neighbours.
struct RetryBody {
    unsigned body;
    float within2;
};

struct Search {
    const Vec4f* bodies;  ///< in curve order; non-finite bodies are NaN
    unsigned count;
    Levels levels;
    const std::uint32_t* order;
    const unsigned* finite;   ///< number of finite bodies
    const float* per_length;  ///< internal units per unit of length
    unsigned k, kept;
    RetryBody* retries;  ///< bodies of this part that must be searched again
    unsigned* retry_count;
    unsigned first = 0;  ///< first leaf of the part
    float* distances = nullptr;
};

__device__ inline float least_of_warp(float x) {
    for (int step = 16; step > 0; step /= 2) x = fminf(x, __shfl_xor_sync(kAll, x, step));
    return x;
}
__device__ inline float most_of_warp(float x) { return -least_of_warp(-x); }

__device__ inline float square_of(float x, float y, float z) {
    return __fmaf_rn(x, x, __fmaf_rn(y, y, __fmul_rn(z, z)));
}
__device__ inline float between(const Vec4f& a, const Vec4f& b) { return square_of(a.x - b.x, a.y - b.y, a.z - b.z); }
__device__ inline float gap(float low_a, float high_a, float low_b, float high_b) {
    return fmaxf(fmaxf(low_a - high_b, low_b - high_a), 0.0f);
}

/// Shared memory of a warp.
struct Shared {
    Vec4f staged[kLeaf];  ///< bodies of a leaf
    unsigned masks[kMostLevels], firsts[kMostLevels];
};

/// The value with rank `before` (from 0) among the distances, by bracketing: at most `before` of them are ≤ low, and
/// more than `before` are ≤ high. `pass` counts those ≤ a value and returns the largest of them and the smallest above.
template <class Pass>
__device__ float nth_of(float high, unsigned of, unsigned before, const Pass& pass) {
    float low = 0;
    unsigned of_low = 0;
    for (int tries = 0;; ++tries) {
        float at;
        if (tries < 12) {  // assuming an even distribution
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
        const LeafBox& box = in_.levels.boxes[0][leaf];
        const bool wide = between(box.low, box.high) > kWide * kWide * reach2, is = (real >> lane() & 1) != 0;
        const auto [found, all] = wide ? Around{0, false} : measure_around(box, body, is, reach2);
        const bool good = all && found > k_ && found <= in_.kept;
        if (is && good) write(own, of_own(reach2, found));
        const float far = sqrtf(its2) + sqrtf(between(body, middle));
        leave(is && !good, {own, found > k_ ? reach2 : far * far * kMore * kMore});
    }

    /// Searches again for one body that its leaf could not complete.
    __device__ void retry(unsigned which) {
        const RetryBody left = in_.retries[which];
        const Vec4f from = in_.bodies[left.body];
        const float distance2 = alone(from, fminf(left.within2, bound(left.body, from)));
        if (lane() == 0) write(left.body, distance2);
    }

private:
    __device__ static unsigned lane() { return threadIdx.x % 32; }
    __device__ static Vec4f of_lane(const Vec4f& b, unsigned from) {
        const int at = static_cast<int>(from);
        return {__shfl_sync(kAll, b.x, at), __shfl_sync(kAll, b.y, at), __shfl_sync(kAll, b.z, at), 0};
    }
    __device__ void leave(bool mine, const RetryBody& left) const {
        const unsigned all = __ballot_sync(kAll, mine);
        unsigned at = 0;
        if (all != 0 && lane() == 0) at = atomicAdd(in_.retry_count, static_cast<unsigned>(__popc(all)));
        at = __shfl_sync(kAll, at, 0) + static_cast<unsigned>(__popc(all & ((1u << lane()) - 1)));
        if (mine) in_.retries[at] = left;
    }
    __device__ void write(unsigned own, float distance2) const {
        in_.distances[in_.order[own]] = sqrtf(distance2) / *in_.per_length;
    }

    /// Mask of the 32 boxes that are within reach of `box`.
    __device__ unsigned near_boxes(int level, unsigned first, const LeafBox& box, float reach2) const {
        const unsigned cell = first + lane();
        bool near = false;
        if (cell < in_.levels.counts[level]) {
            const LeafBox other = in_.levels.boxes[level][cell];
            near = square_of(gap(box.low.x, box.high.x, other.low.x, other.high.x),
                             gap(box.low.y, box.high.y, other.low.y, other.high.y),
                             gap(box.low.z, box.high.z, other.low.z, other.high.z)) <= reach2;
        }
        return __ballot_sync(kAll, near);
    }
    /// Visits the leaves within reach of `box` until `visit` returns true.
    template <class Visit>
    __device__ void for_leaves(const LeafBox& box, float reach2, const Visit& visit) const {
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

    /// Stores the squared distances from one position within reach. Returns their number, or more than room_ if they do
    /// not fit.
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

    /// Squared distance within which a body has at least k others, from its neighbours on the curve if these are
    /// enough.
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

    /// Squared distance from a position to its k-th neighbour, which must be within `within2`; computed by all lanes.
    __device__ float alone(const Vec4f& from, float within2) const {
        float high = within2 * kMore, low = 0;
        unsigned found = collect(from, high);
        for (int tries = 0; found > room_; ++tries) {
            const float at =
                low == 0 && tries < 16 ? high / 4 : __uint_as_float((__float_as_uint(low) + __float_as_uint(high)) / 2);
            if (at <= low || at >= high) return high;  // more than fit are at the same distance
            const unsigned nearer = collect(from, at);
            if (nearer > k_)
                high = at, found = nearer;
            else
                low = at;
        }
        return of_all(found);
    }

    /// k-th of the `found` distances stored by the warp.
    __device__ float of_all(unsigned found) const {
        float largest = 0;
        for (unsigned i = lane(); i < found; i += 32) largest = fmaxf(largest, kept_[i]);
        largest = most_of_warp(largest);
        return nth_of(largest, found, k_, [&](float at, unsigned& count, float& below, float& beyond) {
            count = 0, below = 0, beyond = std::numeric_limits<float>::infinity();
            for (unsigned i = lane(); i < found; i += 32) classify(kept_[i], at, count, below, beyond);
            count = cuda::sum_of_warp(count), below = most_of_warp(below), beyond = least_of_warp(beyond);
        });
    }
    /// k-th of the `found` distances stored by this lane; lanes finish at different times.
    __device__ float of_own(float high, unsigned found) const {
        return nth_of(high, found, k_, [&](float at, unsigned& count, float& below, float& beyond) {
            count = 0, below = 0, beyond = std::numeric_limits<float>::infinity();
            for (unsigned i = 0; i < found; ++i) classify(kept_[i * 32 + lane()], at, count, below, beyond);
        });
    }
    __device__ static void classify(float d2, float at, unsigned& count, float& below, float& beyond) {
        if (d2 <= at)
            ++count, below = fmaxf(below, d2);
        else
            beyond = fminf(beyond, d2);
    }

    /// Number of bodies found by a lane, and whether the search was complete.
    struct Around {
        unsigned found;
        bool all;
    };
    /// Each lane with a body stores the distances within reach of its own body, up to its room. Stops when no lane has
    /// room left, or after too many leaves for individual searches not to be faster: if some bodies of the leaf are far
    /// outside, the rest of the system may lie between them.
    __device__ Around measure_around(const LeafBox& box, const Vec4f& body, bool is, float reach2) const {
        __syncwarp();
        unsigned found = 0, left = kMostAround * in_.kept;
        const float farthest2 = reach2 * kMore;
        for_leaves(box, farthest2, [&](unsigned other) {
            if (left-- == 0) return true;
            const LeafBox theirs = in_.levels.boxes[0][other];
            const float away2 = square_of(gap(body.x, body.x, theirs.low.x, theirs.high.x),
                                          gap(body.y, body.y, theirs.low.y, theirs.high.y),
                                          gap(body.z, body.z, theirs.low.z, theirs.high.z));
            const bool looks = is && found <= in_.kept;
            if (__ballot_sync(kAll, looks && away2 <= farthest2) == 0) return false;
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
            return __ballot_sync(kAll, is && found <= in_.kept) == 0;
        });
        __syncwarp();
        return {found, left <= kMostAround * in_.kept};
    }

    const Search& in_;
    Shared& shared_;
    float* kept_;
    const unsigned k_, room_;
};

}  // namespace orrery::neighbours
