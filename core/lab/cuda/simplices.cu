// SPDX-License-Identifier: MIT
// The maps of triples alone: every thread computes i + j + k, but only that of the last triple stores it. If all
// stored, 512 stores per block to one address would take longer than any map (H200, N = 1024: 0.40 ms for T_m blocks
// without a map, 0.22 ms without the stores). Blocks of ρ × ρ × ρ threads.
#include "core/lab/cuda/pairs.cuh"
#include "core/lab/simplex_variants.hpp"

namespace orrery {
namespace {

using namespace cuda;
using namespace lab;

struct WriteSum {
    std::uint32_t *last, greatest;  ///< `greatest`: sum of the last triple, which is unique
    __device__ void operator()(std::uint32_t i, std::uint32_t j, std::uint32_t k) const {
        if (i + j + k == greatest) *last = greatest;
    }
};

struct MarkTriple {
    MarkSink mark;
    __device__ void operator()(std::uint32_t i, std::uint32_t j, std::uint32_t k) const {
        mark(tetrahedral(k) + triangular(j) + i);
    }
};

/// The triple of tiles of this block. A map with arithmetic is evaluated by one thread: sixteen warps computing the
/// same would take issue slots from neighbouring blocks.
template <class Find>
__device__ TileTriple triple_of_block(Find find, std::uint32_t side) {
    const GridPosition block{blockIdx.x, blockIdx.y, blockIdx.z};
    if constexpr (!Find::for_block) return find(block, side);
    __shared__ uint4 shared;
    if ((threadIdx.x | threadIdx.y | threadIdx.z) == 0) {
        const TileTriple t = find(block, side);
        shared = {t.i, t.j, t.k, 0};
    }
    __syncthreads();
    const uint4 t = shared;
    return {t.x, t.y, t.z};
}

template <class Find, class Work>
__global__ void __launch_bounds__(512)
    triples_in_blocks(Find find, Work work, std::uint32_t side, std::uint32_t bodies) {
    __builtin_assume(side <= kNarrowLayers);
    const TileTriple t = triple_of_block(find, side);
    if (find.idles(t, side)) return;
    const std::uint32_t i = t.i * kTripleRho + threadIdx.x, j = t.j * kTripleRho + threadIdx.y,
                        k = t.k * kTripleRho + threadIdx.z;
    if (i <= j && j <= k && k < bodies) work(i, j, k);
}

class Triples final : public CudaKernel {
public:
    explicit Triples(LabSize size) : CudaKernel{size, size.rho} {
        const std::vector<std::uint32_t> layers = lambda3_table(rows_);
        d_layers_ = DeviceBuffer<std::uint32_t>{layers.size()};
        upload(std::span<const std::uint32_t>{layers}, d_layers_, stream_.get());
        stream_.wait();
    }

    LabCheck check(FormChoice choice) override {
        const std::uint64_t triples = tetrahedral(size_.bodies);
        walk("mark_triples", choice, MarkTriple{marks_.clear(triples, stream_.get())});
        fill(d_last_, 0xff);
        enqueue(choice);
        const Marks::Found found = marks_.count(stream_.get());
        return triplet_verdict(triples, found.visited, found.twice, read(d_last_), size_.bodies);
    }

private:
    void enqueue(FormChoice choice) override {
        walk("triples", choice, WriteSum{d_last_.data(), 3 * (size_.bodies - 1)});
    }

    template <class Work>
    void walk(const char* name, FormChoice choice, const Work& work) {
        with_form3(choice, d_layers_.data(), [&](auto form) {
            form.launches(rows_, [&](Extent blocks, auto find) {
                launch(name, {dimensions(blocks), dim3(kTripleRho, kTripleRho, kTripleRho)}, stream_.get(),
                       triples_in_blocks<decltype(find), Work>, find, work, rows_, size_.bodies);
            });
        });
    }

    DeviceBuffer<std::uint32_t> d_layers_;
    DeviceBuffer<std::uint32_t> d_last_{1};
    Marks marks_;
};

}  // namespace

std::unique_ptr<LabKernel> cuda_triplet(LabSize size) { return std::make_unique<Triples>(size); }

// The maps of quadruples alone: every thread computes i + j + k + l, but only that of the last quadruple stores it, as
// with triples. Blocks of ρ⁴ threads, with l and k along z.

namespace {

constexpr std::uint32_t kQuadrupleThreads = kQuadrupleRho * kQuadrupleRho * kQuadrupleRho * kQuadrupleRho;

struct WriteSum4 {
    std::uint32_t *last, greatest;  ///< `greatest`: sum of the last quadruple, which is unique
    __device__ void operator()(TileQuadruple q) const {
        if (q.i + q.j + q.k + q.l == greatest) *last = greatest;
    }
};

struct MarkQuadruple {
    MarkSink mark;
    __device__ void operator()(TileQuadruple q) const { mark(exact::index_of(q)); }
};

/// The quadruple of tiles of this block; a map with arithmetic is evaluated by one thread, as above.
template <class Find>
__device__ TileQuadruple quadruple_of_block(Find find, std::uint32_t side) {
    const GridPosition block{blockIdx.x, blockIdx.y, blockIdx.z};
    if constexpr (!Find::for_block) return find(block, side);
    __shared__ uint4 shared;
    if ((threadIdx.x | threadIdx.y | threadIdx.z) == 0) {
        const TileQuadruple t = find(block, side);
        shared = {t.i, t.j, t.k, t.l};
    }
    __syncthreads();
    const uint4 t = shared;
    return {t.x, t.y, t.z, t.w};
}

template <class Find, class Work>
__global__ void __launch_bounds__(kQuadrupleThreads)
    quadruples_in_blocks(Find find, Work work, std::uint32_t side, std::uint32_t bodies) {
    const TileQuadruple t = quadruple_of_block(find, side);
    if (find.idles(t, side)) return;
    const TileQuadruple q{t.i * kQuadrupleRho + threadIdx.x, t.j * kQuadrupleRho + threadIdx.y,
                          t.k * kQuadrupleRho + threadIdx.z % kQuadrupleRho,
                          t.l * kQuadrupleRho + threadIdx.z / kQuadrupleRho};
    if (useful(q, bodies)) work(q);
}

class Quadruples final : public CudaKernel {
public:
    explicit Quadruples(LabSize size) : CudaKernel{size, size.rho} {}

    LabCheck check(FormChoice choice) override {
        const std::uint64_t quadruples = simplex4(size_.bodies);
        walk("mark_quadruples", choice, MarkQuadruple{marks_.clear(quadruples, stream_.get())});
        fill(d_last_, 0xff);
        enqueue(choice);
        const Marks::Found found = marks_.count(stream_.get());
        return quadruplet_verdict(quadruples, found.visited, found.twice, read(d_last_), size_.bodies);
    }

private:
    void enqueue(FormChoice choice) override {
        walk("quadruples", choice, WriteSum4{d_last_.data(), 4 * (size_.bodies - 1)});
    }

    template <class Work>
    void walk(const char* name, FormChoice choice, const Work& work) {
        with_form4(choice, [&](auto form) {
            form.launches(rows_, [&](Extent blocks, auto find) {
                launch(name, {dimensions(blocks), dim3(kQuadrupleRho, kQuadrupleRho, kQuadrupleRho * kQuadrupleRho)},
                       stream_.get(), quadruples_in_blocks<decltype(find), Work>, find, work, rows_, size_.bodies);
            });
        });
    }

    DeviceBuffer<std::uint32_t> d_last_{1};
    Marks marks_;
};

}  // namespace

std::unique_ptr<LabKernel> cuda_quadruplet(LabSize size) { return std::make_unique<Quadruples>(size); }

}  // namespace orrery
