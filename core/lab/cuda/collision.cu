// SPDX-License-Identifier: MIT
// Which of N spheres overlap: a byte per pair below the diagonal, and how many they are. A block of ρ × ρ threads takes
// a tile of 4ρ × 4ρ pairs through shared memory; a thread meets 4 rows with 4 neighbouring columns and stores their
// flags four at a time.
#include "core/lab/cuda/pairs.cuh"
#include "core/lab/pairs.hpp"

namespace orrery {
namespace {

using namespace cuda;
using namespace lab;

constexpr std::uint32_t kSlots = 1024;  // counters, so that warps do not queue for one address; a power of two
constexpr std::uint32_t kLongestSide = 32 * kSpan;
static_assert(kSpan == 4, "flags are stored four at a time");

struct Flags {
    std::uint8_t* of_pair;
    std::uint32_t pitch;  // bytes of a row: whole tiles
    unsigned long long* slots;
};

__device__ inline void count(std::uint32_t found, std::uint32_t slot, const Flags& flags, bool first_lane) {
    const std::uint32_t sum = sum_of_warp(found);
    if (first_lane && sum > 0) atomicAdd(flags.slots + slot % kSlots, static_cast<unsigned long long>(sum));
}

/// Four flags of one row as four bytes, from the signs of the gaps.
__device__ inline std::uint32_t four_flags(float a, float b, float c, float d) {
    const auto sign = [](float x) { return __float_as_uint(x) >> 31; };
    return sign(a) | sign(b) << 8 | sign(c) << 16 | sign(d) << 24;
}

/// Where shared memory keeps column c: neighbours of one thread lie ρ apart, those of one load side by side.
__device__ inline std::uint32_t in_fours(std::uint32_t c) { return c % kSpan * blockDim.x + c / kSpan; }

/// `bodies` is filled up to whole tiles with spheres that touch nothing.
template <int D, class Find>
__global__ void __launch_bounds__(1024)
    collide_tiles(Find find, const float4* bodies, Flags flags, std::uint32_t rows) {
    __builtin_assume(rows <= kNarrowRows);
    const Tile tile = find(GridPosition{blockIdx.x, blockIdx.y, blockIdx.z}, rows);
    if (find.idles(tile, rows)) return;
    __shared__ float4 row[kLongestSide], column[kLongestSide];
    const std::uint32_t side = kSpan * blockDim.x, thread = threadIdx.y * blockDim.x + threadIdx.x;
    const std::uint32_t first = tile.row * side, left = tile.col * side;
    if (thread < side)  // 8ρ ≤ ρ² threads load
        row[thread] = __ldg(bodies + first + thread);
    else if (thread < 2 * side)
        column[in_fours(thread - side)] = __ldg(bodies + left + thread - side);
    __syncthreads();

    const auto sphere = [](float4 v) { return Vec4f{v.x, v.y, v.z, v.w}; };
    Vec4f other[kSpan];
#pragma unroll
    for (std::uint32_t b = 0; b < kSpan; ++b) other[b] = sphere(column[b * blockDim.x + threadIdx.x]);
    std::uint32_t found = 0;
#pragma unroll
    for (std::uint32_t a = 0; a < kSpan; ++a) {
        const std::uint32_t r = threadIdx.y + a * blockDim.y;
        const Vec4f self = sphere(row[r]);
        std::uint32_t four =
            four_flags(gap<D>(self, other[0]), gap<D>(self, other[1]), gap<D>(self, other[2]), gap<D>(self, other[3]));
        if (tile.row == tile.col) {  // the whole block: only pairs below the diagonal count
            const std::uint32_t below = r > kSpan * threadIdx.x ? r - kSpan * threadIdx.x : 0;
            if (below < kSpan) four &= (1u << (8 * below)) - 1;
        }
        found += __popc(four);
        *reinterpret_cast<std::uint32_t*>(flags.of_pair + std::uint64_t{first + r} * flags.pitch + left +
                                          kSpan * threadIdx.x) = four;
    }
    count(found, tile.row * 31 + tile.col * 8 + thread / 32, flags, thread % 32 == 0);
}

/// For forms in thread space, which cannot tile: both spheres from global memory.
template <int D>
struct CollidePair {
    const float4* bodies;
    Flags flags;
    __device__ void operator()(std::uint32_t i, std::uint32_t j) const {
        if (i == j) return;
        const float4 a = __ldg(bodies + i), b = __ldg(bodies + j);
        const bool collides = gap<D>({a.x, a.y, a.z, a.w}, {b.x, b.y, b.z, b.w}) < 0;
        flags.of_pair[std::uint64_t{i} * flags.pitch + j] = collides;
        // The lanes that are here together count together.
        const unsigned here = __activemask(), found = __ballot_sync(here, collides);
        const unsigned lane = (threadIdx.y * blockDim.x + threadIdx.x) % 32;
        if (found != 0 && lane == static_cast<unsigned>(__ffs(here)) - 1)
            atomicAdd(flags.slots + (i + j) % kSlots, static_cast<unsigned long long>(__popc(found)));
    }
};

/// What a check finds.
struct Tally {
    unsigned long long wrong, colliding;
};

/// The direct loop: every flag again. A block per row.
template <int D>
__global__ void count_wrong(const float4* bodies, Flags flags, std::uint32_t width, Tally* tally) {
    const std::uint32_t i = blockIdx.x;
    const float4 a = bodies[i];
    std::uint32_t wrong = 0, colliding = 0;
    for (std::uint32_t j = threadIdx.x; j < width; j += blockDim.x) {
        const std::uint8_t flag = flags.of_pair[std::uint64_t{i} * flags.pitch + j];
        if (j >= i) {  // tiles on the diagonal may leave a 0 on and above it
            wrong += flag != 0 && flag != 0xff;
            continue;
        }
        const float4 b = bodies[j];
        const bool collides = gap<D>({a.x, a.y, a.z, a.w}, {b.x, b.y, b.z, b.w}) < 0;
        wrong += flag != collides;
        colliding += collides;
    }
    add_of_warp(wrong, &tally->wrong);
    add_of_warp(colliding, &tally->colliding);
}

template <int D>
class Collision final : public CudaKernel {
public:
    explicit Collision(LabSize size) : CudaKernel{size, size.rho * kSpan}, pitch_{rows_ * size.rho * kSpan} {
        require_memory(size.bodies, std::uint64_t{pitch_} * pitch_);
        d_flags_ = DeviceBuffer<std::uint8_t>{std::uint64_t{pitch_} * pitch_};
        d_bodies_ = DeviceBuffer<float4>{pitch_};
        std::vector<float4> filled;
        for (std::uint32_t i = 0; i < pitch_; ++i) {
            const Vec4f body = i < size.bodies ? bodies_[i] : far_away();
            filled.push_back({body.x, body.y, body.z, body.w});
        }
        upload(std::span<const float4>{filled}, d_bodies_, stream_.get());
        stream_.wait();
    }

    LabCheck check(FormChoice choice) override {
        fill(d_tally_, 0);
        fill(d_flags_, 0xff);
        fill(d_slots_, 0);
        enqueue(choice);
        launch("count_wrong", {dim3(size_.bodies), dim3(256)}, stream_.get(), count_wrong<D>, d_bodies_.data(), flags(),
               size_.bodies, d_tally_.data());
        std::vector<unsigned long long> slots(kSlots);
        download(d_slots_, std::span{slots}, stream_.get());
        const Tally found = read(d_tally_);
        std::uint64_t counted = 0;
        for (const unsigned long long slot : slots) counted += slot;
        return collision_verdict(found.wrong, counted, found.colliding);
    }

private:
    Flags flags() { return {d_flags_.data(), pitch_, d_slots_.data()}; }

    void enqueue(FormChoice choice) override {
        with_form<Forms::kExact>(choice, table_of(choice), [&](auto form) {
            if constexpr (decltype(form)::in_threads) {
                launch_threads("collide_pairs", size_, stream_.get(), form, CollidePair<D>{d_bodies_.data(), flags()});
            } else {
                form.launches(rows_, [&](Extent blocks, auto find) {
                    launch("collide_tiles", {dimensions(blocks), dim3(size_.rho, size_.rho)}, stream_.get(),
                           collide_tiles<D, decltype(find)>, find, d_bodies_.data(), flags(), rows_);
                });
            }
        });
    }

    std::uint32_t pitch_;
    DeviceBuffer<float4> d_bodies_;
    DeviceBuffer<std::uint8_t> d_flags_;
    DeviceBuffer<unsigned long long> d_slots_{kSlots};
    DeviceBuffer<Tally> d_tally_{1};
};

}  // namespace

std::unique_ptr<LabKernel> cuda_collision(LabSize size) {
    if (size.dimensions == 1) return std::make_unique<Collision<1>>(size);
    return std::make_unique<Collision<3>>(size);
}

}  // namespace orrery
