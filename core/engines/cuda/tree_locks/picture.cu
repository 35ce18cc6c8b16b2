// SPDX-License-Identifier: MIT
#include <algorithm>
#include <tuple>

#include "core/cuda/launch.cuh"
#include "core/engines/cuda/tree_locks/atomic.cuh"
#include "core/engines/cuda/tree_locks/kernels.cuh"

namespace orrery::cuda {
namespace {

template <class Real>
__device__ bool is_leaf(const LocksTree<Real>& tree, std::uint32_t cell) {
    if (tree.level[cell] == kBagLevel) return true;
    for (unsigned octant = 0; octant < 8; ++octant)
        if (tree.is_cell(tree.child(cell, octant))) return false;
    return true;
}

template <class Real>
__global__ void survey_cells(LocksTree<Real> tree, std::uint32_t cells, typename LocksBuilder<Real>::Survey* survey) {
    __shared__ std::uint32_t of_level[kBagLevel + 1];
    if (threadIdx.x <= kBagLevel) of_level[threadIdx.x] = 0;
    __syncthreads();
    const std::uint64_t i = thread_index();
    const auto cell = static_cast<std::uint32_t>(i);
    if (i < cells) atomicAdd(&of_level[tree.level[cell]], 1u);
    const int leaves = __syncthreads_count(i < cells && is_leaf(tree, cell));
    if (threadIdx.x <= kBagLevel && of_level[threadIdx.x] > 0)
        atomicAdd(&survey->of_level[threadIdx.x], of_level[threadIdx.x]);
    if (threadIdx.x == 0) atomicAdd(&survey->leaves, static_cast<std::uint32_t>(leaves));
}

template <class Real>
__global__ void draw_cells(LocksTree<Real> tree, std::uint32_t cells, int levels, TreeCell* out, std::uint32_t* drawn) {
    const std::uint64_t i = thread_index();
    if (i >= cells) return;
    const auto cell = static_cast<std::uint32_t>(i);
    const int level = tree.level[cell];
    if (level >= levels) return;
    const LocksUnits<Real>& units = *tree.units;
    const GridPoint corner = corner_of(units.place(tree.bodies[tree.witness[cell]]), level);
    const double finest = units.side / kKeyCells, side = units.side / (1u << level);
    const double x = units.low.x + finest * corner.x, y = units.low.y + finest * corner.y,
                 z = units.low.z + finest * corner.z;
    out[DeviceAtomic::add(*drawn, 1u)] = {{float(x), float(y), float(z)},
                                          {float(x + side), float(y + side), float(z + side)},
                                          level,
                                          tree.bodies_in[cell],
                                          is_leaf(tree, cell)};
}

/// A leaf is labelled with the least index of its bodies, because the index of the cell itself depends on timing.
template <class Real>
__global__ void label_bodies(LocksTree<Real> tree, std::uint32_t cells, TreeLabel label, float* out) {
    const std::uint64_t i = thread_index();
    if (i >= cells) return;
    const auto cell = static_cast<std::uint32_t>(i);
    const int level = tree.level[cell];
    if (level == kBagLevel) {
        const std::int32_t first = tree.child(cell, 0), end = tree.child(cell, 1);
        const float number = label == TreeLabel::kLeaf ? float(body_of_entry(tree.bagged[first])) : float(level);
        for (std::int32_t k = first; k < end; ++k) out[body_of_entry(tree.bagged[k])] = number;
        return;
    }
    std::int32_t least = kEmpty;
    for (unsigned octant = 0; octant < 8; ++octant)
        if (const std::int32_t link = tree.child(cell, octant); link != kEmpty && !tree.is_cell(link))
            least = least == kEmpty ? link : min(least, link);
    const float number = label == TreeLabel::kLeaf ? float(least) : float(level);
    for (unsigned octant = 0; octant < 8; ++octant)
        if (const std::int32_t link = tree.child(cell, octant); link != kEmpty && !tree.is_cell(link))
            out[link] = number;
}

}  // namespace

template <class Real>
void LocksBuilder<Real>::labels(TreeLabel label, float* out, cudaStream_t stream) {
    launch("label_bodies", linear(cells_), stream, label_bodies<Real>, tree(), cells_, label, out);
}

template <class Real>
auto LocksBuilder<Real>::survey(cudaStream_t stream) -> Survey {
    DeviceBuffer<Survey> d_survey{1};
    check(cudaMemsetAsync(d_survey.data(), 0, sizeof(Survey), stream), "clearing");
    launch("survey_cells", linear(cells_), stream, survey_cells<Real>, tree(), cells_, d_survey.data());
    Survey survey;
    download<Survey>(d_survey, std::span{&survey, 1}, stream);
    check(cudaStreamSynchronize(stream), "counting cells");
    return survey;
}

template <class Real>
std::vector<TreeCell> LocksBuilder<Real>::cells_for_picture(std::size_t most, cudaStream_t stream) {
    const Survey all = survey(stream);
    int levels = 0;
    std::size_t count = 0;
    while (levels <= kBagLevel && count + all.of_level[levels] <= most) count += all.of_level[levels++];
    std::vector<TreeCell> cells(count);
    if (count == 0) return cells;
    DeviceBuffer<TreeCell> d_cells{count};
    check(cudaMemsetAsync(d_cells.data(), 0, count * sizeof(TreeCell), stream), "clearing");  // padding is copied
    DeviceBuffer<std::uint32_t> drawn{1};
    check(cudaMemsetAsync(drawn.data(), 0, sizeof(std::uint32_t), stream), "clearing");
    launch("draw_cells", linear(cells_), stream, draw_cells<Real>, tree(), cells_, levels, d_cells.data(),
           drawn.data());
    download<TreeCell>(d_cells, cells, stream);
    check(cudaStreamSynchronize(stream), "reading cells");
    // The cells were written in arbitrary order.
    const auto key = [](const TreeCell& c) { return std::tuple{c.level, c.low.x, c.low.y, c.low.z}; };
    std::ranges::sort(cells, {}, key);
    return cells;
}

template void LocksBuilder<float>::labels(TreeLabel, float*, cudaStream_t);
template void LocksBuilder<double>::labels(TreeLabel, float*, cudaStream_t);
template LocksBuilder<float>::Survey LocksBuilder<float>::survey(cudaStream_t);
template LocksBuilder<double>::Survey LocksBuilder<double>::survey(cudaStream_t);
template std::vector<TreeCell> LocksBuilder<float>::cells_for_picture(std::size_t, cudaStream_t);
template std::vector<TreeCell> LocksBuilder<double>::cells_for_picture(std::size_t, cudaStream_t);

}  // namespace orrery::cuda
