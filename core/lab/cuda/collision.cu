// SPDX-License-Identifier: MIT
// Finds overlaps among N spheres: a byte per pair below the diagonal, or per overlap, and their number. A block of ρ ×
// ρ threads processes a tile of 4ρ × 4ρ pairs (through shared memory) or of ρ × ρ pairs; or a block of 8ρ threads a
// tile of 8ρ × 8ρ.
#include <type_traits>

#include "core/lab/cuda/pairs.cuh"

namespace orrery {
namespace {

using namespace cuda;
using namespace lab;

/// For forms in thread space, which cannot tile: reads both spheres from global memory.
template <int D, bool EveryPair>
struct CollidePair {
    const float4* bodies;
    Flags flags;
    __device__ void operator()(std::uint32_t i, std::uint32_t j) const {
        if (i == j) return;
        const float4 a = __ldg(bodies + i), b = __ldg(bodies + j);
        const bool collides = gap<D>({a.x, a.y, a.z, a.w}, {b.x, b.y, b.z, b.w}) < 0;
        if (EveryPair || collides) flags.of_pair[std::uint64_t{i} * flags.pitch + j] = collides;
        // The active lanes add their count with one atomic operation.
        const unsigned here = __activemask(), found = __ballot_sync(here, collides);
        const unsigned lane = (threadIdx.y * blockDim.x + threadIdx.x) % 32;
        if (found != 0 && lane == static_cast<unsigned>(__ffs(here)) - 1)
            atomicAdd(flags.slots + (i + j) % kSlots, static_cast<unsigned long long>(__popc(found)));
    }
};

/// RB of collision-rows: a block processes blockDim.x rows × as many columns of the rectangle, a row per thread. Rows
/// at or below the rectangle's diagonal have the pair (y − e, x), the others (n − 1 − y, n − e − x), e = 1 for even n;
/// a block across it loads the columns of both branches. With kMark it marks pairs instead.
template <int D, bool kMark>
__global__ void __launch_bounds__(32 * kRowSpan)
    rectangle_of_rows(const float4* bodies, Flags flags, MarkSink mark, std::uint32_t n) {
    __shared__ float4 straight[32 * kRowSpan], turned[32 * kRowSpan];
    const std::uint32_t extra = 1 - n % 2, width = (n + 1) / 2, height = n | 1, side = blockDim.x;
    const std::uint32_t left = blockIdx.x * side, top = blockIdx.y * side;
    const std::uint32_t y = top + threadIdx.x, mine = min(left + threadIdx.x, width - 1);
    if (top + side > left + extra) straight[threadIdx.x] = __ldg(bodies + mine);
    if (top < left + side + extra) turned[threadIdx.x] = __ldg(bodies + (n - extra - mine));
    __syncthreads();
    std::uint32_t found = 0;
    if (y < height) {
        const std::uint32_t below = y >= extra ? y - extra : 0, above = y < n ? n - 1 - y : 0;
        const Vec4f own_below = sphere(__ldg(bodies + below)), own_above = sphere(__ldg(bodies + above));
        const std::uint32_t columns = min(side, width - left);
#pragma unroll 8
        for (std::uint32_t c = 0; c < columns; ++c) {
            const std::uint32_t x = left + c;
            const bool stays = y >= x + extra;
            const std::uint32_t i = stays ? below : above, j = stays ? x : n - extra - x;
            if constexpr (kMark) {
                mark(triangular(i) + j);
            } else if (i != j && gap<D>(stays ? own_below : own_above, sphere(stays ? straight[c] : turned[c])) < 0) {
                flags.of_pair[std::uint64_t{i} * flags.pitch + j] = 1;
                ++found;
            }
        }
    }
    if constexpr (!kMark)
        count(found, blockIdx.y * 31 + blockIdx.x * 8 + threadIdx.x / 32, flags, threadIdx.x % 32 == 0);
}

/// Result of a check.
struct Tally {
    unsigned long long wrong, colliding;
};

/// Recomputes every flag by a direct loop; one block per row.
template <int D, bool EveryPair>
__global__ void count_wrong(const float4* bodies, Flags flags, std::uint32_t width, Tally* tally) {
    const std::uint32_t i = blockIdx.x;
    const float4 a = bodies[i];
    std::uint32_t wrong = 0, colliding = 0;
    for (std::uint32_t j = threadIdx.x; j < width; j += blockDim.x) {
        const float4 b = bodies[j];
        const bool collides = j < i && gap<D>({a.x, a.y, a.z, a.w}, {b.x, b.y, b.z, b.w}) < 0;
        wrong += !flag_is_right(flags.of_pair[std::uint64_t{i} * flags.pitch + j], j < i, collides, EveryPair);
        colliding += collides;
    }
    add_of_warp(wrong, &tally->wrong);
    add_of_warp(colliding, &tally->colliding);
}

template <int D, std::uint32_t Span>
class Collision final : public CudaKernel {
public:
    explicit Collision(LabSize size) : CudaKernel{size, size.rho * Span}, pitch_{rows_ * size.rho * Span} {
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
        if constexpr (!kEveryPair)
            if (LabCheck pairs = check_pairs(choice); !pairs.right) return pairs;
        fill(d_tally_, 0);
        fill(d_flags_, kUnwritten);
        fill(d_slots_, 0);
        enqueue(choice);
        launch("count_wrong", {dim3(size_.bodies), dim3(256)}, stream_.get(), count_wrong<D, kEveryPair>,
               d_bodies_.data(), flags(), size_.bodies, d_tally_.data());
        std::vector<unsigned long long> slots(kSlots);
        download(d_slots_, std::span{slots}, stream_.get());
        const Tally found = read(d_tally_);
        std::uint64_t counted = 0;
        for (const unsigned long long slot : slots) counted += slot;
        return collision_verdict(found.wrong, counted, found.colliding);
    }

private:
    static constexpr bool kEveryPair = flags_every_pair(Span);

    Flags flags() { return {d_flags_.data(), pitch_, d_slots_.data()}; }

    /// A kernel that writes overlaps alone does not show whether a map leaves out a pair that does not overlap: a run
    /// of the same form marks each pair.
    LabCheck check_pairs(FormChoice choice) {
        const std::uint64_t pairs = triangular(size_.bodies);
        const MarkSink mark = marks_.clear(pairs, stream_.get());
        with_form(choice, table_of(choice), [&](auto form) {
            if constexpr (std::is_same_v<decltype(form), RectangularRows>)
                launch_rectangle<true>(mark);
            else if constexpr (decltype(form)::in_threads)
                launch_threads("mark_pairs", size_, stream_.get(), form, MarkPair{mark});
            else
                launch_tiles("mark_rows", form, rows_, dim3(kRowSpan * size_.rho), stream_.get(),
                             MarkRows{mark, size_.bodies});
        });
        const Marks::Found found = marks_.count(stream_.get());
        return pairs_verdict(pairs, found.visited, found.twice);
    }

    template <bool kMark>
    void launch_rectangle(MarkSink mark) {
        const std::uint32_t side = kRowSpan * size_.rho;
        const Extent threads = RectangularRows::threads(size_.bodies);
        launch("rectangle_of_rows", {dim3((threads.x + side - 1) / side, (threads.y + side - 1) / side), dim3(side)},
               stream_.get(), rectangle_of_rows<D, kMark>, d_bodies_.data(), flags(), mark, size_.bodies);
    }

    void enqueue(FormChoice choice) override {
        const CollideTile<D, Span> work{d_bodies_.data(), flags()};
        const dim3 block = Span == kRowSpan ? dim3(kRowSpan * size_.rho) : dim3(size_.rho, size_.rho);
        with_form(choice, table_of(choice), [&](auto form) {
            if constexpr (Span == kRowSpan && std::is_same_v<decltype(form), RectangularRows>) {
                launch_rectangle<false>({});
            } else if constexpr (decltype(form)::in_threads) {
                launch_threads("collide_pairs", size_, stream_.get(), form,
                               CollidePair<D, kEveryPair>{d_bodies_.data(), flags()});
            } else {
                launch_tiles("collide_tiles", form, rows_, block, stream_.get(), work);
            }
        });
    }

    std::uint32_t pitch_;
    DeviceBuffer<float4> d_bodies_;
    DeviceBuffer<std::uint8_t> d_flags_;
    DeviceBuffer<unsigned long long> d_slots_{kSlots};
    DeviceBuffer<Tally> d_tally_{1};
    Marks marks_;
};

template <std::uint32_t Span>
std::unique_ptr<LabKernel> collision(LabSize size) {
    if (size.dimensions == 1) return std::make_unique<Collision<1, Span>>(size);
    return std::make_unique<Collision<3, Span>>(size);
}

}  // namespace

std::unique_ptr<LabKernel> cuda_collision(LabSize size) { return collision<kSpan>(size); }
std::unique_ptr<LabKernel> cuda_collision_pairs(LabSize size) { return collision<1>(size); }
std::unique_ptr<LabKernel> cuda_collision_rows(LabSize size) { return collision<kRowSpan>(size); }

}  // namespace orrery
