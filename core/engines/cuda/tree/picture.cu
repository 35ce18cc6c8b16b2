// SPDX-License-Identifier: MIT
#include "core/cuda/launch.cuh"
#include "core/engines/cuda/tree/build.cuh"

namespace orrery::cuda {
namespace {

template <class Real>
__global__ void count_leaves(const TreeNode<Real>* nodes, std::uint64_t cells, unsigned long long* leaves) {
    const std::uint64_t i = thread_index();
    const int here = __syncthreads_count(i < cells && nodes[i].is_leaf());
    if (threadIdx.x == 0) atomicAdd(leaves, static_cast<unsigned long long>(here));
}

template <class Real>
__global__ void draw_cells(const TreeNode<Real>* nodes, const BodyRange* ranges, const std::uint64_t* keys,
                           const TreeState<Real>* state, std::uint64_t cells, TreeCell* out) {
    const std::uint64_t i = thread_index();
    if (i >= cells) return;
    int level = 0;
    for (std::uint64_t end = state->cells_of_level[0]; i >= end; end += state->cells_of_level[level]) ++level;
    const TreeUnits<Real>& units = state->units;
    const BodyRange range = ranges[i];
    const Vec3<Real> low = cell_corner(keys[range.first], level, units.low, units.side);
    const Real side = units.side / Real(1u << level);
    out[i] = {{float(low.x), float(low.y), float(low.z)},
              {float(low.x + side), float(low.y + side), float(low.z + side)},
              level,
              range.end - range.first,
              nodes[i].is_leaf()};
}

/// A leaf is labelled with the curve position of its first body, because the index of the cell itself depends on
/// timing.
template <class Real>
__global__ void label_bodies(const TreeNode<Real>* nodes, const BodyRange* ranges, const std::uint32_t* order,
                             const TreeState<Real>* state, std::uint64_t cells, TreeLabel label, float* out) {
    const std::uint64_t i = thread_index();
    if (i >= cells || !nodes[i].is_leaf()) return;
    int level = 0;
    for (std::uint64_t end = state->cells_of_level[0]; i >= end; end += state->cells_of_level[level]) ++level;
    const BodyRange range = ranges[i];
    const float number = label == TreeLabel::kLeaf ? float(range.first) : float(level);
    for (std::uint32_t k = range.first; k < range.end; ++k) out[order[k]] = number;
}

}  // namespace

template <class Real>
void TreeBuilder<Real>::labels(TreeLabel label, float* out, cudaStream_t stream) const {
    launch("label_bodies", linear(cells_), stream, label_bodies<Real>, memory_.nodes.data(), memory_.ranges.data(),
           order_.data(), state_.data(), cells_, label, out);
}

template <class Real>
std::uint64_t TreeBuilder<Real>::leaves(cudaStream_t stream) const {
    DeviceBuffer<unsigned long long> d_leaves{1};
    check(cudaMemsetAsync(d_leaves.data(), 0, sizeof(unsigned long long), stream), "clearing");
    launch("count_leaves", linear(cells_), stream, count_leaves<Real>, memory_.nodes.data(), cells_, d_leaves.data());
    unsigned long long leaves = 0;
    download<unsigned long long>(d_leaves, std::span{&leaves, 1}, stream);
    check(cudaStreamSynchronize(stream), "counting leaves");
    return leaves;
}

template <class Real>
std::vector<TreeCell> TreeBuilder<Real>::cells_for_picture(std::size_t most, cudaStream_t stream) const {
    std::uint64_t count = 0;
    for (int level = 0; level < levels_ && count + host_.cells_of_level[level] <= most; ++level)
        count += host_.cells_of_level[level];
    std::vector<TreeCell> cells(count);
    if (count == 0) return cells;
    DeviceBuffer<TreeCell> drawn{count};
    check(cudaMemsetAsync(drawn.data(), 0, count * sizeof(TreeCell), stream), "clearing");  // padding is copied too
    launch("draw_cells", linear(count), stream, draw_cells<Real>, memory_.nodes.data(), memory_.ranges.data(),
           sorting_.sorted_keys.data(), state_.data(), count, drawn.data());
    download<TreeCell>(drawn, cells, stream);
    check(cudaStreamSynchronize(stream), "reading cells");
    return cells;
}

template void TreeBuilder<float>::labels(TreeLabel, float*, cudaStream_t) const;
template void TreeBuilder<double>::labels(TreeLabel, float*, cudaStream_t) const;
template std::uint64_t TreeBuilder<float>::leaves(cudaStream_t) const;
template std::uint64_t TreeBuilder<double>::leaves(cudaStream_t) const;
template std::vector<TreeCell> TreeBuilder<float>::cells_for_picture(std::size_t, cudaStream_t) const;
template std::vector<TreeCell> TreeBuilder<double>::cells_for_picture(std::size_t, cudaStream_t) const;

}  // namespace orrery::cuda
