// SPDX-License-Identifier: MIT
// Operations of kernels on a pair or a tile: dummy writes a sum, edm a distance, collision flags; marks check that a
// form visits each pair or triple exactly once.
#pragma once
#include <cstdint>

#include "core/cuda/device_buffer.hpp"
#include "core/cuda/launch.cuh"
#include "core/lab/launch_variants.hpp"
#include "core/lab/pairs.hpp"
#include "core/maps/map.hpp"

namespace orrery::lab {

// Kernels with a block per tile, and dynamic parallelism: a triangle launches its halves from the device. The latter is
// in a separate file, because it is compiled and linked with the device runtime.

/// Calls work(tile) with one block per tile. An idle block returns before it computes any thread coordinate.
template <class Find, class TileWork>
__global__ void __launch_bounds__(1024) tiles_in_blocks(Find find, TileWork work, std::uint32_t rows) {
    __builtin_assume(rows <= kNarrowRows);  // 32-bit indices, no branch for larger ones
    const Tile tile = find(GridPosition{blockIdx.x, blockIdx.y, blockIdx.z}, rows);
    if (!find.idles(tile, rows)) work(tile);
}

/// Calls the work of a strip for each run of the block.
template <class Find, class TileWork>
__global__ void __launch_bounds__(1024) strips_in_blocks(Find find, TileWork work, std::uint32_t rows) {
    __builtin_assume(rows <= kNarrowRows);
    find.runs(GridPosition{blockIdx.x, blockIdx.y, blockIdx.z}, rows, work.in_strip());
}

/// The pairs j ≤ i of a tile, one per thread of a block of ρ × ρ. Threads of a block diverge only on the diagonal and
/// in the last row. ρ is 2^kLogRho, or 2^log_rho if kLogRho is 0: in nearly empty blocks even a shift counts.
template <unsigned kLogRho, class Work>
struct PairsOfTile {
    Work work;
    std::uint32_t bodies, log_rho;
    __device__ void operator()(Tile tile) const {
        const std::uint32_t shift = kLogRho > 0 ? kLogRho : log_rho;
        const std::uint32_t i = (tile.row << shift) + threadIdx.y, j = (tile.col << shift) + threadIdx.x;
        if (j <= i && i < bodies) work(i, j);
    }

    /// The pairs of a run: each thread has its column of every tile, and the row's body stays in registers.
    struct Strip {
        const PairsOfTile& pairs;
        __device__ void operator()(TileRun run) const {
            const std::uint32_t shift = kLogRho > 0 ? kLogRho : pairs.log_rho;
            const std::uint32_t i = (run.row << shift) + threadIdx.y;
            if (i >= pairs.bodies) return;
            const auto own = pairs.work.row(i);
            for (std::uint32_t col = run.first; col < run.first + run.count; ++col)
                if (const std::uint32_t j = (col << shift) + threadIdx.x; j <= i) pairs.work.in_row(own, i, j);
        }
    };
    __device__ Strip in_strip() const { return {*this}; }
};

/// PairsOfTile for long strips of a work that has in_run(), which processes a run as a whole. It is a kernel of its
/// own, because its registers would leave shorter strips with fewer blocks at a time.
template <class Work>
struct LongStripsOfPairs {
    PairsOfTile<0, Work> pairs;
    struct Strip {
        const PairsOfTile<0, Work>& pairs;
        __device__ void operator()(TileRun run) const {
            if (run.count << pairs.log_rho >= Work::kLeastRun)
                pairs.work.in_run(run, pairs.log_rho, pairs.bodies);
            else
                pairs.in_strip()(run);
        }
    };
    __device__ Strip in_strip() const { return {pairs}; }
};

/// A strip of a kind of tile that fills shared memory: all threads have read a tile before the next one is loaded.
template <class TileWork>
struct BarrierStrip {
    TileWork work;
    __device__ void operator()(TileRun run) const {
        for (std::uint32_t col = run.first; col < run.first + run.count; ++col) {
            __syncthreads();
            work(Tile{run.row, col});
        }
    }
};

/// Calls work(tile) with a block of `block` threads for every tile of the triangle; the host makes only the first
/// launch. Compiled in dynamic.cu for the types of work listed there.
template <class TileWork>
void launch_dynamic(dim3 block, std::uint32_t rows, cudaStream_t stream, const TileWork& work);

/// Device-side view with which a kernel marks the visited items.
struct MarkSink {
    std::uint32_t* bits;
    unsigned long long* twice;
    __device__ void operator()(std::uint64_t item) const {
        const std::uint32_t bit = 1u << (item % 32);
        if (atomicOr(bits + item / 32, bit) & bit) atomicAdd(twice, 1ull);
    }
};

class Marks {
public:
    struct Found {
        std::uint64_t twice, visited;  ///< repeated visits; different items visited
    };

    /// Allocates memory on the first call.
    MarkSink clear(std::uint64_t items, cudaStream_t stream);
    /// Waits for the stream.
    Found count(cudaStream_t stream);

private:
    cuda::DeviceBuffer<std::uint32_t> d_bits_;
    cuda::DeviceBuffer<unsigned long long> d_counts_{2};  // repeated, visited
};

struct WriteSum {
    std::uint32_t* last;
    __device__ void operator()(std::uint32_t i, std::uint32_t j) const { *last = i + j; }
    __device__ static std::uint32_t row(std::uint32_t i) { return i; }
    __device__ void in_row(std::uint32_t, std::uint32_t i, std::uint32_t j) const { (*this)(i, j); }
};
struct MarkPair {
    MarkSink mark;
    __device__ void operator()(std::uint32_t i, std::uint32_t j) const { mark(triangular(i) + j); }
    __device__ static std::uint32_t row(std::uint32_t i) { return i; }
    __device__ void in_row(std::uint32_t, std::uint32_t i, std::uint32_t j) const { (*this)(i, j); }
};
/// Marks the pairs j ≤ i of a tile of blockDim.x rows, a row per thread.
struct MarkRows {
    MarkSink mark;
    std::uint32_t bodies;
    __device__ void operator()(Tile tile) const {
        const std::uint32_t i = tile.row * blockDim.x + threadIdx.x, left = tile.col * blockDim.x;
        if (i >= bodies) return;
        for (std::uint32_t j = left; j < left + blockDim.x && j <= i; ++j) mark(triangular(i) + j);
    }
    struct Strip {
        const MarkRows& marks;
        __device__ void operator()(TileRun run) const {
            for (std::uint32_t col = run.first; col < run.first + run.count; ++col) marks(Tile{run.row, col});
        }
    };
    __device__ Strip in_strip() const { return {*this}; }
};

/// Adds the values of all lanes of a full warp. Blocks must be one-dimensional.
__device__ inline void add_of_warp(std::uint32_t value, unsigned long long* total) {
    const std::uint32_t sum = cuda::sum_of_warp(value);
    if (threadIdx.x % 32 == 0 && sum > 0) atomicAdd(total, static_cast<unsigned long long>(sum));
}

/// Writes the cell (i, j) of the next board.
struct StepCell {
    const std::uint8_t* now;
    std::uint8_t* next;
    LifeBoard board;
    __device__ void operator()(std::uint32_t i, std::uint32_t j) const {
        const std::uint64_t at = board.place(i, j);
        next[at] = stepped_cell(now + at, board.pitch());
    }
    __device__ static std::uint32_t row(std::uint32_t i) { return i; }
    __device__ void in_row(std::uint32_t, std::uint32_t i, std::uint32_t j) const { (*this)(i, j); }
};

/// The hardware's square root, within one unit in the last place.
__device__ inline float near_root(float x) {
    float root = 0;
    asm("sqrt.approx.f32 %0, %1;" : "=f"(root) : "f"(x));
    return root;
}

template <int F>
struct WriteDistance {
    const Features<F>* bodies;
    float* matrix;
    std::uint32_t width;
    __device__ void operator()(std::uint32_t i, std::uint32_t j) const { in_row(load(i), i, j); }
    __device__ Features<F> row(std::uint32_t i) const { return load(i); }
    __device__ void in_row(Features<F> own, std::uint32_t i, std::uint32_t j) const {
        __stcs(matrix + (std::uint64_t{i} * width + j), near_root(distance2(own, load(j))));
    }

    /// Shortest run for in_run(): the columns of one warp. Strips from kLongStrip columns on use it: on an H100 the
    /// first length at which no map loses by it.
    static constexpr std::uint32_t kLeastRun = 128, kLongStrip = 256;
    /// A run of tiles with 2^shift rows. A warp takes 128 consecutive columns, four bodies per thread, for several
    /// rows, so that each of its stores fills a line of 128 bytes; tiles of 16 columns store half lines, and load every
    /// body for every row. Begins at a multiple of 32 columns, a line if `width` is such a multiple.
    __device__ void in_run(TileRun run, std::uint32_t shift, std::uint32_t bodies_count) const {
        constexpr std::uint32_t kLine = 32, kLines = kLeastRun / kLine;
        const std::uint32_t thread = (threadIdx.y << shift) + threadIdx.x, lane = thread % 32, warp = thread / 32;
        const std::uint32_t warps = 1u << (2 * shift - 5), rows = 1u << shift;
        const std::uint32_t begin = run.first << shift, end = (run.first + run.count) << shift;
        const std::uint32_t top = run.row << shift, left = begin & ~(kLine - 1);
        const std::uint32_t chunks = (end - left + kLeastRun - 1) / kLeastRun;
        const std::uint32_t sharing = chunks < warps ? warps / chunks : 1;  // warps per chunk
        for (std::uint32_t item = warp; item < chunks * sharing; item += warps) {
            const std::uint32_t first = left + item % chunks * kLeastRun;
            Features<F> column[kLines];
#pragma unroll
            for (std::uint32_t q = 0; q < kLines; ++q)
                column[q] = load(min(first + q * kLine + lane, bodies_count - 1));
            for (std::uint32_t r = item / chunks; r < rows; r += sharing) {
                const std::uint32_t i = top + r;
                if (i >= bodies_count) break;
                const Features<F> own = load(i);
                float* const at = matrix + (std::uint64_t{i} * width + first + lane);
                const bool whole = first >= begin && first + kLeastRun <= min(end, i + 1);
#pragma unroll
                for (std::uint32_t q = 0; q < kLines; ++q) {
                    const std::uint32_t j = first + q * kLine + lane;
                    const float distance = near_root(distance2(own, column[q]));
                    if (whole || (j >= begin && j < end && j <= i)) __stcs(at + q * kLine, distance);
                }
            }
        }
    }

private:
    __device__ Features<F> load(std::uint32_t i) const {
        if constexpr (F == 1) return {__ldg(&bodies[i].x)};
        if constexpr (F == 2) {
            const float2 v = __ldg(reinterpret_cast<const float2*>(bodies) + i);
            return {v.x, v.y};
        }
        if constexpr (F >= 3) {
            const float4 v = __ldg(reinterpret_cast<const float4*>(bodies) + i);
            return {v.x, v.y, v.z, v.w};
        }
    }
};

inline constexpr std::uint32_t kSlots = 1024;  // several counters, to reduce contention; a power of two
inline constexpr std::uint32_t kLongestSide = 32 * kSpan;
static_assert(kSpan == 4, "flags are stored four at a time");

struct Flags {
    std::uint8_t* of_pair;
    std::uint32_t pitch;  // bytes per row: whole tiles
    unsigned long long* slots;
};

__device__ inline void count(std::uint32_t found, std::uint32_t slot, const Flags& flags, bool first_lane) {
    const std::uint32_t sum = cuda::sum_of_warp(found);
    if (first_lane && sum > 0) atomicAdd(flags.slots + slot % kSlots, static_cast<unsigned long long>(sum));
}

/// Four flags of one row as four bytes, from the signs of the gaps.
__device__ inline std::uint32_t four_flags(float a, float b, float c, float d) {
    const auto sign = [](float x) { return __float_as_uint(x) >> 31; };
    return sign(a) | sign(b) << 8 | sign(c) << 16 | sign(d) << 24;
}

/// Index of column c in shared memory: columns of one thread lie ρ apart, so that those of one load are adjacent.
__device__ inline std::uint32_t in_fours(std::uint32_t c) { return c % kSpan * blockDim.x + c / kSpan; }

__device__ inline Vec4f sphere(float4 v) { return {v.x, v.y, v.z, v.w}; }

/// A block processes a tile of Span·ρ × Span·ρ pairs.
template <int D, std::uint32_t Span>
struct CollideTile;

/// One pair per thread of ρ × ρ.
template <int D>
struct CollideTile<D, 1> {
    const float4* bodies;
    Flags flags;
    __device__ auto in_strip() const { return BarrierStrip<CollideTile>{*this}; }
    __device__ void operator()(Tile tile) const {
        __shared__ float4 row[32], column[32];
        const std::uint32_t side = blockDim.x, thread = threadIdx.y * side + threadIdx.x;
        const std::uint32_t first = tile.row * side, left = tile.col * side;
        if (thread < side)  // 2ρ ≤ ρ² threads load
            row[thread] = __ldg(bodies + first + thread);
        else if (thread < 2 * side)
            column[thread - side] = __ldg(bodies + left + thread - side);
        __syncthreads();
        const std::uint32_t i = first + threadIdx.y, j = left + threadIdx.x;
        const bool collides = j < i && gap<D>(sphere(row[threadIdx.y]), sphere(column[threadIdx.x])) < 0;
        if (j < i) flags.of_pair[std::uint64_t{i} * flags.pitch + j] = collides;
        count(collides, tile.row * 31 + tile.col * 8 + thread / 32, flags, thread % 32 == 0);
    }
};

/// A thread processes 4 rows × 4 adjacent columns and stores their flags four at a time.
template <int D>
struct CollideTile<D, kSpan> {
    const float4* bodies;
    Flags flags;
    __device__ auto in_strip() const { return BarrierStrip<CollideTile>{*this}; }
    __device__ void operator()(Tile tile) const {
        __shared__ float4 row[kLongestSide], column[kLongestSide];
        const std::uint32_t side = kSpan * blockDim.x, thread = threadIdx.y * blockDim.x + threadIdx.x;
        const std::uint32_t first = tile.row * side, left = tile.col * side;
        if (thread < side)  // 8ρ ≤ ρ² threads load
            row[thread] = __ldg(bodies + first + thread);
        else if (thread < 2 * side)
            column[in_fours(thread - side)] = __ldg(bodies + left + thread - side);
        __syncthreads();

        Vec4f other[kSpan];
#pragma unroll
        for (std::uint32_t b = 0; b < kSpan; ++b) other[b] = sphere(column[b * blockDim.x + threadIdx.x]);
        std::uint32_t found = 0;
#pragma unroll
        for (std::uint32_t a = 0; a < kSpan; ++a) {
            const std::uint32_t r = threadIdx.y + a * blockDim.y;
            const Vec4f self = sphere(row[r]);
            std::uint32_t four = four_flags(gap<D>(self, other[0]), gap<D>(self, other[1]), gap<D>(self, other[2]),
                                            gap<D>(self, other[3]));
            if (tile.row == tile.col) {  // uniform in the block: only pairs below the diagonal count
                const std::uint32_t below = r > kSpan * threadIdx.x ? r - kSpan * threadIdx.x : 0;
                if (below < kSpan) four &= (1u << (8 * below)) - 1;
            }
            found += __popc(four);
            *reinterpret_cast<std::uint32_t*>(flags.of_pair + std::uint64_t{first + r} * flags.pitch + left +
                                              kSpan * threadIdx.x) = four;
        }
        count(found, tile.row * 31 + tile.col * 8 + thread / 32, flags, thread % 32 == 0);
    }
};

/// As in the authors' program (github.com/crinavar/gpumaps, 2-simplex/collision3d): one row per thread of 8ρ, whose
/// sphere stays in registers; only overlaps are written. All lanes read the same column at a time, which shared memory
/// broadcasts; in the authors' program each lane starts at its own column.
template <int D>
struct CollideTile<D, kRowSpan> {
    const float4* bodies;
    Flags flags;
    __device__ auto in_strip() const { return BarrierStrip<CollideTile>{*this}; }
    __device__ void operator()(Tile tile) const {
        __shared__ float4 column[32 * kRowSpan];
        const std::uint32_t side = blockDim.x, i = tile.row * side + threadIdx.x, left = tile.col * side;
        const Vec4f self = sphere(__ldg(bodies + i));
        column[threadIdx.x] = __ldg(bodies + left + threadIdx.x);
        __syncthreads();
        std::uint8_t* const flag = flags.of_pair + std::uint64_t{i} * flags.pitch + left;
        const std::uint32_t below = min(side, i - left);
        std::uint32_t found = 0;
#pragma unroll 8
        for (std::uint32_t c = 0; c < below; ++c)
            if (gap<D>(self, sphere(column[c])) < 0) {
                flag[c] = 1;
                ++found;
            }
        count(found, tile.row * 31 + tile.col * 8 + threadIdx.x / 32, flags, threadIdx.x % 32 == 0);
    }
};

}  // namespace orrery::lab
