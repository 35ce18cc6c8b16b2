// SPDX-License-Identifier: MIT
// The maps of quadruples alone: every thread computes i + j + k + l, but only that of the last quadruple stores it, as
// in triplet.cu. Blocks of ρ⁴ threads, with l and k along z.
#include "core/lab/cuda/pairs.cuh"
#include "core/lab/launch_variants4.hpp"

namespace orrery {
namespace {

using namespace cuda;
using namespace lab;

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

/// The quadruple of tiles of this block; a map with arithmetic is evaluated by one thread, as in triplet.cu.
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
