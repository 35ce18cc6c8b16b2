// SPDX-License-Identifier: MIT
// Cuts the bodies into groups that share a walk: combines neighbouring cells into compact clusters, and divides each
// cluster into groups of equal size.
#include "core/engines/cuda/tree/build.cuh"
#include "core/engines/cuda/tree/cells.cuh"

namespace orrery::cuda {
namespace {

/// Bodies of a group share their interactions, so its box should be small and contain few other bodies: groups are cut
/// from clusters, that is from cells, or siblings adjacent on the curve, of at most `cluster` bodies together.
template <class Real>
struct GroupSearch {
    const BodyRange* ranges;
    const TreeNode<Real>* nodes;
    const Vec3<Real>*lows, *highs;
    TreeShape shape;
    CellPlaces places;
    TreeState<Real>* state;
    BodyRange* groups;
    std::uint64_t room;  ///< room for the groups of a level
    ClusterStore clusters;
    const std::uint64_t* keys;
    std::uint32_t bodies;  ///< of this rank
    int sorted_levels;
    DomainBorders borders;

    /// True if the cell on this level also contains bodies of other domains.
    __device__ bool on_border(int level, const BodyRange& range) const {
        return (range.first == 0 && level <= border_level(borders, keys[0], sorted_levels)) ||
               (range.end == bodies && level <= border_level(borders, keys[bodies - 1], sorted_levels));
    }

    /// Each lane of an octet has `count` bodies from `first` on, or none: cuts them into groups of nearly equal size.
    __device__ void cut(std::uint32_t level, std::uint32_t first, std::uint32_t count) const {
        const std::uint32_t pieces = (count + shape.group - 1) / shape.group, mine = threadIdx.x % kOctet;
        std::uint32_t at = 0;
        if (const std::uint32_t all = octet_sum(pieces); mine == 0) at = atomicAdd(&state->groups_of_level[level], all);
        at = __shfl_sync(octet_mask(), at, 0, kOctet);
        const unsigned long long added = clusters.all ? add_cluster({first, first + count}, pieces) : 0;
        for (unsigned lane = 0; lane < kOctet; ++lane) {
            const auto of_lane = [lane](std::uint32_t x) { return __shfl_sync(octet_mask(), x, lane, kOctet); };
            const std::uint32_t start = of_lane(first), bodies = of_lane(count), here = of_lane(pieces);
            const auto border = [=](std::uint32_t i) {
                return start + static_cast<std::uint32_t>(std::uint64_t{bodies} * i / here);
            };
            const std::uint32_t number = of_lane(static_cast<std::uint32_t>(added)),
                                cluster = of_lane(static_cast<std::uint32_t>(added >> 32));
            for (std::uint32_t i = mine; i < here; i += kOctet) {
                groups[level * room + at + i] = {border(i), border(i + 1)};
                if (clusters.all) clusters.groups[number + i] = {{border(i), border(i + 1)}, cluster};
            }
            at += here;
        }
    }

    /// Adds the cluster of each lane that has one. Returns the number of the cluster in the upper half, and the number
    /// of its first group in the lower half.
    __device__ unsigned long long add_cluster(BodyRange bodies, std::uint32_t pieces) const {
        const unsigned mine = threadIdx.x % kOctet;
        const unsigned long long one = 1ull << 32 | pieces, own = pieces > 0 ? one : 0;
        unsigned long long earlier = own, first = 0;  // clusters in the upper half, groups in the lower
        for (unsigned step = 1; step < kOctet; step *= 2) {
            const unsigned long long left = __shfl_up_sync(octet_mask(), earlier, step, kOctet);
            if (mine >= step) earlier += left;
        }
        if (mine == kOctet - 1) first = atomicAdd(clusters.counts, earlier);
        first = __shfl_sync(octet_mask(), first, kOctet - 1, kOctet) + earlier - own;
        if (pieces > 0) clusters.all[first >> 32] = {bodies};
        return first;
    }

    /// An octet combines the children of a cell, one per lane, into clusters: adjacent children whose common box does
    /// not overlap the other children, so that no foreign body lies in between. A child larger than a cluster is
    /// processed on its own, and one of another domain by its own rank. No cluster mixes domains: there is a larger
    /// child at each border.
    __device__ void cut_children(std::uint32_t level, const TreeNode<Real>& node) const {
        const auto mine = static_cast<std::int32_t>(threadIdx.x % kOctet);
        BodyRange range{0, 0};
        Corners<Real> box = nowhere<Real>();
        if (mine < node.rest.count) {
            const auto child = static_cast<std::uint32_t>(node.rest.first + mine);
            range = ranges[child];
            box = {lows[child], highs[child]};
        }
        const std::uint32_t bodies_here = this->bodies, bodies = range.end - range.first;
        std::uint32_t start = 0, count = 0, together = 0;  // the bodies this lane cuts; bodies in the current cluster
        std::int32_t first = 0;
        Corners<Real> common = nowhere<Real>();
        const auto end_cluster = [&] {
            if (mine == first && range.first < bodies_here) start = range.first, count = together;
            together = 0, common = nowhere<Real>();
        };
        for (std::int32_t c = 0; c < node.rest.count; ++c) {
            const auto of_child = [c](auto x) { return __shfl_sync(octet_mask(), x, c, kOctet); };
            const std::uint32_t more = of_child(bodies);
            const Corners<Real> next{{of_child(box.low.x), of_child(box.low.y), of_child(box.low.z)},
                                     {of_child(box.high.x), of_child(box.high.y), of_child(box.high.z)}};
            Corners<Real> joined = common;
            joined.enclose(next);
            const bool among = (mine < first || mine > c) && mine < node.rest.count && box.low.x <= joined.high.x &&
                               box.low.y <= joined.high.y && box.low.z <= joined.high.z && box.high.x >= joined.low.x &&
                               box.high.y >= joined.low.y && box.high.z >= joined.low.z;
            const bool crowded = __any_sync(octet_mask(), among) != 0;
            if (together > 0 && (together + more > shape.cluster || crowded)) end_cluster();
            if (more > shape.cluster) continue;
            if (together == 0) first = c;
            common.enclose(next);
            together += more;
        }
        if (together > 0) end_cluster();
        cut(level, start, count);
    }
};

/// One octet per level and chunk finds the cell that begins there and is larger than a cluster, and so than a chunk.
/// The deepest levels come first: their groups tend to have the longest walks, and long walks should not come last.
template <class Real>
__global__ void find_groups_of(const GroupSearch<Real> search) {
    const TreeState<Real>& state = *search.state;
    if (!state.whole()) return;
    const int level = kTreeLevels - 1 - static_cast<int>(blockIdx.y);
    std::uint32_t all;
    const std::uint32_t begin = __shfl_sync(~0u, level_begin(state.cells_of_level, all), level);
    const auto chunk = static_cast<std::uint32_t>(thread_index() / kOctet);
    if (chunk >= search.places.chunks) return;
    const std::uint32_t first = search.places.before(state.cells_of_level, level, chunk),
                        end = search.places.before(state.cells_of_level, level, chunk + 1);
    if (first == end) return;
    const std::uint32_t cell = begin + end - 1;
    const BodyRange range = search.ranges[cell];
    const bool large = range.end - range.first > search.shape.cluster;
    if ((!large && cell != 0) || search.on_border(level, range)) return;
    const TreeNode<Real> node = search.nodes[cell];
    if (large && !node.is_leaf())
        search.cut_children(blockIdx.y, node);
    else
        search.cut(blockIdx.y, range.first, threadIdx.x % kOctet == 0 ? range.end - range.first : 0);
}

/// One octet per border cell, which always has more bodies than a cluster.
template <class Real>
__global__ void find_groups_on_border(const GroupSearch<Real> search, const BorderCell* border,
                                      const std::uint32_t* places, std::uint32_t count) {
    const auto i = static_cast<std::uint32_t>(thread_index() / kOctet);
    if (i >= count || !search.state->whole()) return;
    search.cut_children(static_cast<std::uint32_t>(kTreeLevels - 1 - border[i].level), search.nodes[places[i]]);
}

/// A level has at most bodies / cluster cells that are larger than a cluster, and each yields at most eight clusters.
std::uint64_t most_groups_of_level(std::uint64_t bodies, const TreeShape& shape) {
    return std::min(bodies, bodies / shape.group + kOctet * (bodies / shape.cluster + 1));
}

/// A cell larger than a cluster yields at most eight clusters; each level has at most bodies / cluster such cells.
std::uint64_t most_clusters(std::uint64_t bodies, const TreeShape& shape) {
    return std::min<std::uint64_t>(bodies, kTreeLevels * kOctet * (bodies / shape.cluster + 1));
}

template <class Real>
GroupSearch<Real> search_of(const TreeStore<Real>& tree, const TreeShape& shape, const std::uint32_t* offsets,
                            int sorted_levels, const DomainBorders& borders) {
    return {.ranges = tree.ranges,
            .nodes = tree.nodes,
            .lows = tree.lows,
            .highs = tree.highs,
            .shape = shape,
            .places = {offsets, chunks_of(tree.count)},
            .state = tree.state,
            .groups = tree.groups,
            .room = tree.groups_room,
            .clusters = tree.clusters,
            .keys = tree.keys,
            .bodies = tree.count,
            .sorted_levels = sorted_levels,
            .borders = borders};
}

}  // namespace

template <class Real>
void TreeBuilder<Real>::find_groups(cudaStream_t stream) {
    grouping_.room = most_groups_of_level(count_, shape_) + kOctet * border_.room;
    const std::uint64_t most = grouping_.room * kTreeLevels;
    if (grouping_.groups.size() < most) grouping_.groups = {}, grouping_.groups = DeviceBuffer<BodyRange>{most};
    if (grouping_.keeps_clusters) {
        const std::uint64_t room = most_clusters(count_, shape_), groups = room + count_ / shape_.group;
        if (grouping_.clusters.size() < room)
            grouping_.clusters = {}, grouping_.clusters = DeviceBuffer<TreeCluster>{room};
        if (grouping_.cluster_groups.size() < groups)
            grouping_.cluster_groups = {}, grouping_.cluster_groups = DeviceBuffer<TreeGroup>{groups};
        if (grouping_.cluster_counts.size() == 0) grouping_.cluster_counts = DeviceBuffer<unsigned long long>{1};
        check(cudaMemsetAsync(grouping_.cluster_counts.data(), 0, sizeof(unsigned long long), stream), "clearing");
    }
    const std::uint32_t octets = kBlock / kOctet;
    launch("find_groups", {dim3((chunks_of(count_) + octets - 1) / octets, kTreeLevels), dim3(kBlock)}, stream,
           find_groups_of<Real>, search_of(store(), shape_, memory_.offsets.data(), sorting_.levels, border_.domains));
}

template <class Real>
void TreeBuilder<Real>::find_domain_groups(const BorderCell* border, const std::uint32_t* places,
                                           std::uint32_t border_cells, cudaStream_t stream) {
    find_groups(stream);
    launch("find_groups_on_border", linear(std::uint64_t{border_cells} * kOctet), stream, find_groups_on_border<Real>,
           search_of(store(), shape_, memory_.offsets.data(), sorting_.levels, border_.domains), border, places,
           border_cells);
}

template void TreeBuilder<float>::find_groups(cudaStream_t);
template void TreeBuilder<double>::find_groups(cudaStream_t);
template void TreeBuilder<float>::find_domain_groups(const BorderCell*, const std::uint32_t*, std::uint32_t,
                                                     cudaStream_t);
template void TreeBuilder<double>::find_domain_groups(const BorderCell*, const std::uint32_t*, std::uint32_t,
                                                      cudaStream_t);

}  // namespace orrery::cuda
