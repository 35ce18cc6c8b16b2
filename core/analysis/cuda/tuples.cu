// SPDX-License-Identifier: MIT
// Pairs and triples of points on a device, counted by the lengths of their sides. A block processes a strip of
// consecutive pairs or triples of tiles after one exact map, and adds to counters in shared memory; they go to global
// memory when the groups of the tiles change. Distances are those of the host bit for bit, because products and sums
// are not fused (core/CMakeLists.txt).
#include <algorithm>
#include <bit>
#include <type_traits>

#include "core/analysis/tuples.hpp"
#include "core/base/error.hpp"
#include "core/cuda/device_buffer.hpp"
#include "core/cuda/info.hpp"
#include "core/cuda/launch.cuh"
#include "core/cuda/stream.hpp"
#include "core/maps/exact/exact_maps.hpp"

namespace orrery {
namespace {

using namespace cuda;

constexpr unsigned kThreads = 256, kWarps = kThreads / 32;
constexpr unsigned kPairsOfTile = kTilePoints * kTilePoints;
/// Tiles per block. A strip of triples has at most 2¹⁹ counts, far from the end of a counter of 32 bits.
constexpr unsigned kStripOfPairs = 64, kStripOfTriples = 16;
constexpr std::uint64_t kBlocksPerLaunch = 1 << 16;
static_assert(kTilePoints == 32, "a lane per point");

struct TupleArgs {
    const Vec3d* places;
    const double* weights;
    const TileOfPoints* tiles;
    const double* edges2;
    unsigned bins;  ///< of distances; this value stands for a distance outside of all bins
    double period;
    unsigned classes;
    void* sums;  ///< [groups][class]: counts, or sums of weight products
};

__device__ double nearest_image(double d, double period) { return period > 0 ? d - period * round(d / period) : d; }

__device__ unsigned bin_of(const TupleArgs& in, const Vec3d& a, const Vec3d& b) {
    const double x = nearest_image(a.x - b.x, in.period), y = nearest_image(a.y - b.y, in.period),
                 z = nearest_image(a.z - b.z, in.period), d2 = x * x + y * y + z * z;
    if (!(d2 >= in.edges2[0] && d2 <= in.edges2[in.bins])) return in.bins;
    unsigned low = 0, high = in.bins;  // edges2[low] ≤ d2, and d2 < edges2[high] unless high is the last
    while (high - low > 1) {
        const unsigned middle = (low + high) / 2;
        (d2 >= in.edges2[middle] ? low : high) = middle;
    }
    return low;
}

/// The bin of point i of the lower and point j of the upper tile; in.bins unless i precedes j in the catalogue.
__device__ unsigned bin_in_tiles(const TupleArgs& in, exact::Pair tiles, unsigned i, unsigned j) {
    const TileOfPoints lower = in.tiles[tiles.col], upper = in.tiles[tiles.row];
    if (i >= lower.count || j >= upper.count || (tiles.row == tiles.col && i >= j)) return in.bins;
    return bin_of(in, in.places[lower.first + i], in.places[upper.first + j]);
}

/// Counters of a block in shared memory, for the tuples of one combination of groups.
template <class Counter>
class BlockCounters {
public:
    __device__ BlockCounters(Counter* counters, unsigned count) : counters_{counters}, count_{count} { clear(); }
    __device__ void add(unsigned at, Counter value) { atomicAdd(counters_ + at, value); }
    /// Adds counter c to sums[class_of(c)] and clears it. Called by all threads.
    template <class ClassOf, class Sum>
    __device__ void flush(Sum* sums, const ClassOf& class_of) {
        __syncthreads();
        for (unsigned c = threadIdx.x; c < count_; c += kThreads)
            if (counters_[c] != 0) atomicAdd(sums + class_of(c), static_cast<Sum>(counters_[c]));
        __syncthreads();
        clear();
    }

private:
    __device__ void clear() {
        for (unsigned c = threadIdx.x; c < count_; c += kThreads) counters_[c] = 0;
        __syncthreads();
    }
    Counter* counters_;
    unsigned count_;
};

/// Block b has the pairs of tiles first + b·kStripOfPairs and following, below `last`.
template <bool kWeighted>
__global__ void __launch_bounds__(kThreads) count_pairs(TupleArgs in, std::uint64_t first, std::uint64_t last) {
    using Counter = std::conditional_t<kWeighted, double, unsigned>;
    using Sum = std::conditional_t<kWeighted, double, unsigned long long>;
    extern __shared__ __align__(16) unsigned char shared_bytes[];
    BlockCounters<Counter> counters{reinterpret_cast<Counter*>(shared_bytes), in.bins};
    const std::uint64_t begin = first + std::uint64_t{blockIdx.x} * kStripOfPairs;
    const std::uint64_t end = begin + kStripOfPairs < last ? begin + kStripOfPairs : last;
    exact::Pair tiles = exact::pair_at(begin);
    std::uint64_t groups = ~std::uint64_t{0};
    const auto flush = [&] {
        if (groups != ~std::uint64_t{0})
            counters.flush(static_cast<Sum*>(in.sums) + groups * in.classes, [](unsigned c) { return c; });
    };
    for (std::uint64_t at = begin; at < end; ++at) {
        const std::uint64_t here = exact::index_of(exact::Pair{in.tiles[tiles.row].group, in.tiles[tiles.col].group});
        if (here != groups) flush(), groups = here;
        for (unsigned pair = threadIdx.x; pair < kPairsOfTile; pair += kThreads) {
            const unsigned i = pair % kTilePoints, j = pair / kTilePoints, bin = bin_in_tiles(in, tiles, i, j);
            if (bin == in.bins) continue;
            if constexpr (kWeighted)
                counters.add(bin,
                             in.weights[in.tiles[tiles.col].first + i] * in.weights[in.tiles[tiles.row].first + j]);
            else
                counters.add(bin, 1);
        }
        if (++tiles.col > tiles.row) tiles = {tiles.row + 1, 0};
    }
    flush();
}

/// A block per pair of tiles: the bins of its distances, [point of the upper tile][point of the lower tile], and
/// whether one of them lies in a bin.
__global__ void __launch_bounds__(kThreads) bin_tiles(TupleArgs in, std::uint8_t* tables, std::uint8_t* any) {
    const exact::Pair tiles = exact::pair_at(blockIdx.x);
    std::uint8_t* const table = tables + std::uint64_t{blockIdx.x} * kPairsOfTile;
    bool found = false;
    for (unsigned pair = threadIdx.x; pair < kPairsOfTile; pair += kThreads) {
        const unsigned bin = bin_in_tiles(in, tiles, pair % kTilePoints, pair / kTilePoints);
        table[pair] = static_cast<std::uint8_t>(bin);
        found |= bin != in.bins;
    }
    const bool some = __syncthreads_or(found);
    if (threadIdx.x == 0) any[blockIdx.x] = some;
}

struct BinTables {
    const std::uint8_t *bins, *any;
    __device__ const std::uint8_t* of(exact::Pair tiles) const { return bins + exact::index_of(tiles) * kPairsOfTile; }
    __device__ bool has(exact::Pair tiles) const { return any[exact::index_of(tiles)] != 0; }
};

__device__ unsigned byte_of(unsigned word, unsigned at) { return word >> (8 * at) & 0xff; }

/// The triples of three tiles, i < j < k, because the tables have no bins for other pairs. Lane c has point c of tile
/// k; a warp has four points of tile j and all of tile i. The cell of a triple is (bin jk · n + bin ik) · n + bin ij.
template <class Add>
__device__ void triples_of_tiles(const BinTables& tables, exact::Triple t, unsigned none, const Add& add) {
    constexpr unsigned kWords = kTilePoints / 4, kOwn = kTilePoints / kWarps;  // of bins in 32 bits; points of tile j
    static_assert(kOwn == 4, "one word of bins jk per lane");
    const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32, n = none + 1;
    const auto row = [&](std::uint32_t upper, std::uint32_t lower, unsigned point) {
        return reinterpret_cast<const uint4*>(tables.of({upper, lower}) + point * kTilePoints);
    };
    struct Row {
        unsigned words[kWords];
    };
    const auto loaded = [](const uint4* from) {
        const uint4 first = __ldg(from), second = __ldg(from + 1);
        return Row{{first.x, first.y, first.z, first.w, second.x, second.y, second.z, second.w}};
    };
    const unsigned jk = __ldg(reinterpret_cast<const unsigned*>(row(t.k, t.j, lane)) + warp);
    const Row ik = loaded(row(t.k, t.i, lane));
#pragma unroll
    for (unsigned b = 0; b < kOwn; ++b) {
        const unsigned bin_jk = byte_of(jk, b);
        if (__all_sync(~0u, bin_jk == none)) continue;
        const Row ij = loaded(row(t.j, t.i, kOwn * warp + b));  // the same for all lanes
#pragma unroll
        for (unsigned w = 0; w < kWords; ++w) {
#pragma unroll
            for (unsigned a = 0; a < 4; ++a) {
                const unsigned bin_ij = byte_of(ij.words[w], a), bin_ik = byte_of(ik.words[w], a);
                if (bin_ij != none && bin_jk != none && bin_ik != none)
                    add((bin_jk * n + bin_ik) * n + bin_ij, 4 * w + a, kOwn * warp + b, lane);
            }
        }
    }
}

/// Block b has the triples of tiles first + b·kStripOfTriples and following, below `last`. `class_of`: of a cell.
template <bool kWeighted>
__global__ void __launch_bounds__(kThreads)
    count_triangles(TupleArgs in, BinTables tables, const std::uint16_t* class_of, std::uint64_t first,
                    std::uint64_t last) {
    using Counter = std::conditional_t<kWeighted, double, unsigned>;
    using Sum = std::conditional_t<kWeighted, double, unsigned long long>;
    extern __shared__ __align__(16) unsigned char shared_bytes[];
    const unsigned n = in.bins + 1;
    // A counter per cell needs no class per triple; in double there is not enough shared memory for that.
    BlockCounters<Counter> counters{reinterpret_cast<Counter*>(shared_bytes), kWeighted ? in.classes : n * n * n};
    const std::uint64_t begin = first + std::uint64_t{blockIdx.x} * kStripOfTriples;
    const std::uint64_t end = begin + kStripOfTriples < last ? begin + kStripOfTriples : last;
    exact::Triple t = exact::triple_at(begin);
    std::uint64_t groups = ~std::uint64_t{0};
    const auto flush = [&] {
        if (groups != ~std::uint64_t{0})
            counters.flush(static_cast<Sum*>(in.sums) + groups * in.classes,
                           [&](unsigned c) { return kWeighted ? c : class_of[c]; });
    };
    for (std::uint64_t at = begin; at < end; ++at) {
        const TileOfPoints i = in.tiles[t.i], j = in.tiles[t.j], k = in.tiles[t.k];
        const std::uint64_t here = exact::index_of(exact::Triple{i.group, j.group, k.group});
        if (here != groups) flush(), groups = here;
        if (tables.has({t.j, t.i}) && tables.has({t.k, t.i}) && tables.has({t.k, t.j}))
            triples_of_tiles(tables, t, in.bins, [&](unsigned cell, unsigned a, unsigned b, unsigned c) {
                if constexpr (kWeighted)
                    counters.add(class_of[cell],
                                 in.weights[i.first + a] * in.weights[j.first + b] * in.weights[k.first + c]);
                else
                    counters.add(cell, 1);
            });
        if (++t.i > t.j) {
            t.i = 0;
            if (++t.j > t.k) t.j = 0, ++t.k;
        }
    }
    flush();
}

class DeviceTuples {
public:
    DeviceTuples(std::size_t order, const TiledCatalogue& catalogue, const TupleBins& bins,
                 std::span<const std::uint16_t> class_of, std::size_t classes)
        : order_{order},
          tiles_{static_cast<std::uint32_t>(catalogue.tiles.size())},
          classes_{classes},
          common_{common_weights(catalogue)} {
        std::vector<Vec3d> places;
        std::vector<double> weights;
        for (const CataloguePoint& point : catalogue.points)
            places.push_back(point.position), weights.push_back(point.weight);
        keep(places, places_), keep(weights, weights_);
        keep(catalogue.tiles, tiles_of_points_), keep(bins.edges2, edges2_);
        if (!class_of.empty()) keep(std::vector<std::uint16_t>(class_of.begin(), class_of.end()), class_of_);
        sums_ = DeviceBuffer<double>{combinations() * classes};
        check(cudaMemsetAsync(sums_.data(), 0, sums_.size() * sizeof(double), stream_.get()), "clearing sums");
        in_ = {places_.data(),
               weights_.data(),
               tiles_of_points_.data(),
               edges2_.data(),
               static_cast<unsigned>(bins.size()),
               bins.period,
               static_cast<unsigned>(classes),
               sums_.data()};
    }

    DeviceSums run(const std::function<bool()>& stop) {
        const Event begin, end;
        begin.record(stream_.get());
        if (order_ == 2)
            common_ ? pairs<false>(stop) : pairs<true>(stop);
        else
            common_ ? triples<false>(stop) : triples<true>(stop);
        end.record(stream_.get());
        std::vector<double> sums(sums_.size());
        download(sums_, std::span<double>{sums}, stream_.get());
        stream_.wait();
        if (common_) {
            for (double& sum : sums) sum = static_cast<double>(std::bit_cast<unsigned long long>(sum));
            multiply_weights(sums, order_, classes_, *common_);
        }
        return {std::move(sums), end.seconds_since(begin)};
    }

private:
    static_assert(sizeof(double) == sizeof(unsigned long long), "sums and counts share their memory");

    std::uint64_t combinations() const {
        return order_ == 2 ? exact::pair_count(kTileGroups) : exact::triple_count(kTileGroups);
    }

    template <class T>
    void keep(const std::vector<T>& values, DeviceBuffer<T>& device) {
        device = DeviceBuffer<T>{values.size()};
        upload(std::span<const T>{values}, device, stream_.get());
        stream_.wait();
    }

    /// Calls enqueue(first, last, blocks) for consecutive launches over `count` tuples of tiles, until stopped.
    template <class Enqueue>
    void in_launches(std::uint64_t count, std::uint64_t strip, const std::function<bool()>& stop,
                     const Enqueue& enqueue) {
        for (std::uint64_t first = 0; first < count; first += kBlocksPerLaunch * strip) {
            if (stop()) return;
            const std::uint64_t last = std::min(count, first + kBlocksPerLaunch * strip);
            enqueue(first, last, static_cast<unsigned>((last - first + strip - 1) / strip));
            stream_.wait();
        }
    }

    template <bool kWeighted>
    void pairs(const std::function<bool()>& stop) {
        const std::size_t shared = in_.bins * (kWeighted ? sizeof(double) : sizeof(unsigned));
        in_launches(exact::pair_count(tiles_), kStripOfPairs, stop, [&](auto first, auto last, unsigned blocks) {
            launch("count_pairs", {dim3(blocks), dim3(kThreads), shared}, stream_.get(), count_pairs<kWeighted>, in_,
                   first, last);
        });
    }

    template <bool kWeighted>
    void triples(const std::function<bool()>& stop) {
        const std::uint64_t tile_pairs = exact::pair_count(tiles_);
        DeviceBuffer<std::uint8_t> tables{tile_pairs * kPairsOfTile}, any{tile_pairs};
        launch("bin_tiles", {dim3(static_cast<unsigned>(tile_pairs)), dim3(kThreads)}, stream_.get(), bin_tiles, in_,
               tables.data(), any.data());
        const std::size_t n = in_.bins + 1,
                          shared = kWeighted ? classes_ * sizeof(double) : n * n * n * sizeof(unsigned);
        check(cudaFuncSetAttribute(count_triangles<kWeighted>, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                   static_cast<int>(shared)),
              "shared memory for the counters of triangles");
        in_launches(exact::triple_count(tiles_), kStripOfTriples, stop, [&](auto first, auto last, unsigned blocks) {
            launch("count_triangles", {dim3(blocks), dim3(kThreads), shared}, stream_.get(), count_triangles<kWeighted>,
                   in_, BinTables{tables.data(), any.data()}, class_of_.data(), first, last);
        });
    }

    std::size_t order_;
    std::uint32_t tiles_;
    std::size_t classes_;
    std::optional<KindWeights> common_;  // if there are some, counts are added
    Stream stream_;
    DeviceBuffer<Vec3d> places_;
    DeviceBuffer<double> weights_, edges2_, sums_;
    DeviceBuffer<TileOfPoints> tiles_of_points_;
    DeviceBuffer<std::uint16_t> class_of_;
    TupleArgs in_{};
};

}  // namespace

DeviceSums sum_tuples_on_device(std::size_t order, const TiledCatalogue& catalogue, const TupleBins& bins,
                                std::span<const std::uint16_t> class_of, std::size_t classes,
                                const std::function<bool()>& stop) {
    if (!cuda_info().available) environment_error(cuda_info().reason);
    return DeviceTuples{order, catalogue, bins, class_of, classes}.run(stop);
}

}  // namespace orrery
