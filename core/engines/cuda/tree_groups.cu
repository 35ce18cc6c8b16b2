// SPDX-License-Identifier: MIT
#include <thrust/iterator/counting_iterator.h>

#include <cub/device/device_select.cuh>

#include "core/engines/cuda/tree_build.cuh"
#include "core/engines/cuda/tree_cells.cuh"

namespace orrery::cuda {
namespace {

/// Marks where groups start: `count` bodies from `first` on, in pieces of nearly the same number.
__device__ void cut(std::uint8_t* starts, std::uint32_t first, std::uint32_t count, std::uint32_t group) {
    const std::uint32_t pieces = (count + group - 1) / group;
    for (std::uint32_t i = 0; i < pieces; ++i)
        starts[first + static_cast<std::uint32_t>(std::uint64_t{count} * i / pieces)] = 1;
}

template <class Real>
struct GroupSearch {
    const BodyRange* ranges;
    const TreeNode<Real>* nodes;
    const Vec3<Real>*lows, *highs;
    TreeShape shape;
    std::uint8_t* starts;

    __device__ std::uint32_t bodies(std::uint32_t cell) const { return ranges[cell].end - ranges[cell].first; }
    __device__ void cut_here(std::uint32_t first, std::uint32_t count) const { cut(starts, first, count, shape.group); }

    /// Whether the common box of children [first, end) of a cell stays clear of its other children, so that no body of
    /// theirs lies among these.
    __device__ bool clear(const TreeNode<Real>& node, int first, int end) const {
        Corners<Real> box = nowhere<Real>();
        for (int c = first; c < end; ++c) box.enclose({lows[node.first + c], highs[node.first + c]});
        for (int c = 0; c < node.count; ++c) {
            if (c >= first && c < end) continue;
            const Vec3<Real> l = lows[node.first + c], h = highs[node.first + c];
            if (l.x <= box.high.x && l.y <= box.high.y && l.z <= box.high.z && h.x >= box.low.x && h.y >= box.low.y &&
                h.z >= box.low.z)
                return false;
        }
        return true;
    }
};

/// Bodies of a group share their interactions, so its box should be small and hold few others: groups are cut from
/// clusters, that is from cells, or neighbours on the curve with one parent, of at most `cluster` bodies together. A
/// thread per cell that is larger than a cluster looks after its children.
template <class Real>
__global__ void mark_groups(const TreeState<Real>* state, int levels, std::uint32_t room,
                            const GroupSearch<Real> search) {
    const LevelSpan last = span_of(*state, levels - 1, room);
    const std::uint32_t cells = last.first + last.count, cluster = search.shape.cluster;
    for (std::uint64_t cell = thread_index(); cell < cells; cell += std::uint64_t{gridDim.x} * blockDim.x) {
        const TreeNode<Real> node = search.nodes[cell];
        const BodyRange range = search.ranges[cell];
        const std::uint32_t bodies = range.end - range.first;
        if (node.count < 0 || bodies <= cluster) {
            if (cell == 0 || bodies > cluster) search.cut_here(range.first, bodies);
            continue;
        }
        int first = 0;  // of the children that are gathered
        std::uint32_t together = 0;
        const auto cut_gathered = [&] {
            if (together > 0) search.cut_here(search.ranges[node.first + first].first, together);
            together = 0;
        };
        for (int c = 0; c < node.count; ++c) {
            const std::uint32_t more = search.bodies(node.first + c);
            if (together > 0 && (together + more > cluster || !search.clear(node, first, c + 1))) cut_gathered();
            if (more > cluster) continue;  // it looks after itself
            if (together == 0) first = c;
            together += more;
        }
        cut_gathered();
    }
}

}  // namespace

template <class Real>
void TreeBuilder<Real>::find_groups(const TreeShape& shape, cudaStream_t stream) {
    check(cudaMemsetAsync(starts_.data(), 0, count_, stream), "clearing");
    const GroupSearch<Real> search{ranges_.data(), nodes_.data(), lows_.data(), highs_.data(), shape, starts_.data()};
    launch("mark_groups", threads_for(nodes_.size()), stream, mark_groups<Real>, state_.data(), levels_, nodes_.size(),
           search);
    if (groups_.size() < count_) groups_ = DeviceBuffer<std::uint32_t>{count_};
    const auto select = [&](void* memory, std::size_t& bytes) {
        check(cub::DeviceSelect::Flagged(memory, bytes, thrust::counting_iterator<std::uint32_t>{0}, starts_.data(),
                                         groups_.data(), &state_.data()->groups, static_cast<std::int64_t>(count_),
                                         stream),
              "finding groups");
    };
    std::size_t bytes = 0;
    select(nullptr, bytes);
    select(scratch(bytes), bytes);
}

template void TreeBuilder<float>::find_groups(const TreeShape&, cudaStream_t);
template void TreeBuilder<double>::find_groups(const TreeShape&, cudaStream_t);

}  // namespace orrery::cuda
