// SPDX-License-Identifier: MIT
#include "core/lab/cuda/dynamic.cuh"

#include "core/lab/cuda/collision.cuh"
#include "core/lab/cuda/edm.cuh"
#include "core/lab/cuda/sums.cuh"
#include "core/lab/forms.hpp"

namespace orrery::lab {
namespace {

using namespace cuda;

/// A triangle of tiles whose corner is (first, first), and what it is part of.
struct Part {
    std::uint32_t first, side, leaf;
};

/// A triangle small enough, by its bounding box.
template <class Work>
__global__ void __launch_bounds__(1024) dynamic_leaf(Work work, Part part) {
    if (blockIdx.x > blockIdx.y) return;
    work(Tile{part.first + blockIdx.y, part.first + blockIdx.x});
}

template <class Work>
__global__ void dynamic_triangle(Work work, Part part);

/// The square of a triangle is the grid of its launch; a leaf has no square. These launches are the device's:
/// cuda::launch is the host's. One that fails leaves pairs out, which the check sees.
template <class Work>
__device__ void launch_child(Work work, Part part) {
    const dim3 block(blockDim.x, blockDim.y);
    if (part.side <= part.leaf)
        dynamic_leaf<<<dim3(part.side, part.side), block, 0, cudaStreamFireAndForget>>>(work, part);
    else
        dynamic_triangle<<<dim3(part.side / 2, part.side - part.side / 2), block, 0, cudaStreamFireAndForget>>>(work,
                                                                                                                part);
}

/// The first block launches the triangles above and below the square; all blocks meet the square's tiles. Whoever waits
/// for the launch of a parent waits for its children.
template <class Work>
__global__ void __launch_bounds__(1024) dynamic_triangle(Work work, Part part) {
    const std::uint32_t half = part.side / 2;
    if ((blockIdx.x | blockIdx.y | threadIdx.x | threadIdx.y) == 0) {
        launch_child(work, {part.first, half, part.leaf});
        launch_child(work, {part.first + half, part.side - half, part.leaf});
    }
    work(Tile{part.first + half + blockIdx.y, part.first + blockIdx.x});
}

}  // namespace

template <class Work>
void launch_dynamic(std::uint32_t rho, std::uint32_t rows, cudaStream_t stream, const Work& work) {
    const Part whole{0, rows, DynamicTriangles::leaf(rows)};
    const dim3 block(rho, rho);
    if (rows <= whole.leaf)
        launch("dynamic_leaf", {dim3(rows, rows), block}, stream, dynamic_leaf<Work>, work, whole);
    else
        launch("dynamic_triangle", {dim3(rows / 2, rows - rows / 2), block}, stream, dynamic_triangle<Work>, work,
               whole);
}

template void launch_dynamic(std::uint32_t, std::uint32_t, cudaStream_t, const PairsOfTile<WriteSum>&);
template void launch_dynamic(std::uint32_t, std::uint32_t, cudaStream_t, const PairsOfTile<MarkPair>&);
template void launch_dynamic(std::uint32_t, std::uint32_t, cudaStream_t, const PairsOfTile<WriteDistance<1>>&);
template void launch_dynamic(std::uint32_t, std::uint32_t, cudaStream_t, const PairsOfTile<WriteDistance<2>>&);
template void launch_dynamic(std::uint32_t, std::uint32_t, cudaStream_t, const PairsOfTile<WriteDistance<3>>&);
template void launch_dynamic(std::uint32_t, std::uint32_t, cudaStream_t, const PairsOfTile<WriteDistance<4>>&);
template void launch_dynamic(std::uint32_t, std::uint32_t, cudaStream_t, const CollideTile<1, kSpan>&);
template void launch_dynamic(std::uint32_t, std::uint32_t, cudaStream_t, const CollideTile<3, kSpan>&);
template void launch_dynamic(std::uint32_t, std::uint32_t, cudaStream_t, const CollideTile<1, 1>&);
template void launch_dynamic(std::uint32_t, std::uint32_t, cudaStream_t, const CollideTile<3, 1>&);

}  // namespace orrery::lab
