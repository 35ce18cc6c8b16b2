// SPDX-License-Identifier: MIT
#include "core/lab/cuda/work.cuh"

namespace orrery::lab {
namespace {

using namespace cuda;

/// A triangle of tiles with its corner at (first, first), in a triangle of `rows` rows.
struct Part {
    std::uint32_t rows, first, side;
};

template <class TileWork>
__global__ void dynamic_triangle(TileWork work, Part part, dim3 block);

/// Launched from the device; cuda::launch is for the host. A failed launch leaves pairs out, which the check detects.
template <class TileWork>
__device__ void launch_leaf(const TileWork& work, Part part, dim3 block) {
    const dim3 box(part.side, part.side);
    tiles_in_blocks<<<box, block, 0, cudaStreamFireAndForget>>>(DynamicTriangles::Leaf{part.first}, work, part.rows);
}

template <class TileWork>
__device__ void launch_part(const TileWork& work, Part part, dim3 block) {
    if (part.side <= DynamicTriangles::leaf(part.rows))
        launch_leaf(work, part, block);
    else
        dynamic_triangle<<<1, 1, 0, cudaStreamFireAndForget>>>(work, part, block);
}

/// One thread launches the triangles above and below a triangle's square, and then the square, so that the square's
/// blocks run the same code as those of other forms and the halves' launches do not wait behind them. Waiting for a
/// parent grid includes its children.
template <class TileWork>
__global__ void dynamic_triangle(TileWork work, Part part, dim3 block) {
    if (part.side <= DynamicTriangles::leaf(part.rows)) return launch_leaf(work, part, block);
    const std::uint32_t half = part.side / 2, rest = part.side - half;
    launch_part(work, {part.rows, part.first, half}, block);
    launch_part(work, {part.rows, part.first + half, rest}, block);
    tiles_in_blocks<<<dim3(half, rest), block, 0, cudaStreamFireAndForget>>>(
        DynamicTriangles::Square{part.first + half, part.first}, work, part.rows);
}

}  // namespace

template <class TileWork>
void launch_dynamic(dim3 block, std::uint32_t rows, cudaStream_t stream, const TileWork& work) {
    launch("dynamic_triangle", {dim3(1), dim3(1)}, stream, dynamic_triangle<TileWork>, work, Part{rows, 0, rows},
           block);
}

template void launch_dynamic(dim3, std::uint32_t, cudaStream_t, const PairsOfTile<0, WriteSum>&);
template void launch_dynamic(dim3, std::uint32_t, cudaStream_t, const PairsOfTile<4, WriteSum>&);
template void launch_dynamic(dim3, std::uint32_t, cudaStream_t, const PairsOfTile<0, MarkPair>&);
template void launch_dynamic(dim3, std::uint32_t, cudaStream_t, const PairsOfTile<0, WriteDistance<1>>&);
template void launch_dynamic(dim3, std::uint32_t, cudaStream_t, const PairsOfTile<0, WriteDistance<2>>&);
template void launch_dynamic(dim3, std::uint32_t, cudaStream_t, const PairsOfTile<0, WriteDistance<3>>&);
template void launch_dynamic(dim3, std::uint32_t, cudaStream_t, const PairsOfTile<0, WriteDistance<4>>&);
template void launch_dynamic(dim3, std::uint32_t, cudaStream_t, const PairsOfTile<0, StepCell>&);
template void launch_dynamic(dim3, std::uint32_t, cudaStream_t, const MarkRows&);
template void launch_dynamic(dim3, std::uint32_t, cudaStream_t, const CollideTile<1, kSpan>&);
template void launch_dynamic(dim3, std::uint32_t, cudaStream_t, const CollideTile<3, kSpan>&);
template void launch_dynamic(dim3, std::uint32_t, cudaStream_t, const CollideTile<1, 1>&);
template void launch_dynamic(dim3, std::uint32_t, cudaStream_t, const CollideTile<3, 1>&);
template void launch_dynamic(dim3, std::uint32_t, cudaStream_t, const CollideTile<1, kRowSpan>&);
template void launch_dynamic(dim3, std::uint32_t, cudaStream_t, const CollideTile<3, kRowSpan>&);

}  // namespace orrery::lab
