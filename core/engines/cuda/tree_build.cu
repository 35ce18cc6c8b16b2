// SPDX-License-Identifier: MIT
#include "core/engines/cuda/tree_build.cuh"

#include <algorithm>

#include "core/cuda/launch.cuh"
#include "core/engines/cuda/tree_cells.cuh"
#include "core/physics/opening.hpp"

namespace orrery::cuda {
namespace {

template <class Real>
__global__ void plant_root(TreeState<Real>* state, BodyRange* ranges, std::uint32_t bodies) {
    for (std::uint32_t& cells : state->cells_of_level) cells = 0;
    state->cells_of_level[0] = 1;
    state->overflow = state->deeper = 0;
    ranges[0] = {0, bodies};
}

constexpr int kBorderLevels = 5;
constexpr std::uint32_t kBorderCells = 1u << 3 * kBorderLevels;

/// The first body at or after a key.
__device__ std::uint32_t body_from(const std::uint64_t* keys, std::uint32_t low, std::uint32_t high,
                                   std::uint64_t key) {
    while (low < high) {
        const std::uint32_t middle = low + (high - low) / 2;
        if (keys[middle] < key)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/// borders[i]: the first body at or after the i-th of all possible cells at level kBorderLevels. The upper levels have
/// too few cells to bisect the keys quickly one level after the other.
__global__ void find_borders(const std::uint64_t* keys, std::uint32_t bodies, std::uint32_t* borders) {
    const std::uint64_t i = thread_index();
    if (i <= kBorderCells) borders[i] = body_from(keys, 0, bodies, i << 3 * (kKeyLevels - kBorderLevels));
}

/// Eight lanes per cell of `level` look for the borders of their octants in the sorted keys.
template <class Real>
__global__ void split_level(const std::uint64_t* keys, const std::uint32_t* borders, int level, int sorted_levels,
                            std::uint32_t leaf, std::uint32_t room, TreeState<Real>* state, BodyRange* ranges,
                            TreeNode<Real>* nodes) {
    const LevelSpan span = span_of(*state, level, room);
    const unsigned mine = threadIdx.x % kOctet;
    for (std::uint64_t at = thread_index() / kOctet; at < span.count; at += gridDim.x * (blockDim.x / kOctet)) {
        const std::uint32_t cell = span.first + static_cast<std::uint32_t>(at);
        const BodyRange range = ranges[cell];
        const auto make_leaf = [&] {
            if (mine != 0) return;
            nodes[cell].first = static_cast<std::int32_t>(range.first);
            nodes[cell].count = -static_cast<std::int32_t>(range.end - range.first);
        };
        if (range.end - range.first <= leaf || level == sorted_levels) {
            if (mine == 0 && range.end - range.first > leaf) state->deeper = 1;
            make_leaf();
            continue;
        }
        const std::uint64_t octant = (keys[range.first] >> 3 * (kKeyLevels - level)) * kOctet + mine;
        const std::uint32_t low = level < kBorderLevels
                                      ? borders[octant << 3 * (kBorderLevels - 1 - level)]
                                      : body_from(keys, range.first, range.end, octant << 3 * (kKeyLevels - 1 - level));
        std::uint32_t end = __shfl_down_sync(octet_mask(), low, 1, kOctet);
        if (mine == kOctet - 1) end = range.end;
        const bool exists = end > low;
        const unsigned present = __ballot_sync(octet_mask(), exists) >> (threadIdx.x % 32 / kOctet * kOctet) & 0xffu;
        const auto children = static_cast<std::uint32_t>(__popc(present));
        std::uint32_t first = 0;
        if (mine == 0) first = span.first + span.count + atomicAdd(&state->cells_of_level[level + 1], children);
        first = __shfl_sync(octet_mask(), first, 0, kOctet);
        if (first + children > room) {
            if (mine == 0) state->overflow = 1;
            make_leaf();  // for the time being
            continue;
        }
        if (exists) {
            const std::uint32_t child = first + __popc(present & ((1u << mine) - 1));
            ranges[child] = {low, end};
        }
        if (mine == 0) {
            nodes[cell].first = static_cast<std::int32_t>(first);
            nodes[cell].count = static_cast<std::int32_t>(children);
        }
    }
}

template <class Real>
struct Weights {
    TreeNode<Real>* nodes;
    Quadrupole<Real>* quadrupoles;
    Vec3<Real>*lows, *highs;
    TreeRule rule;
};

/// What a cell is, once its centre of mass and the tight box of its bodies are known.
template <class Real>
__device__ void write_cell(const Weights<Real>& to, std::uint32_t cell, const Vec4<Real>& centre,
                           const Corners<Real>& box) {
    const Vec3<Real> sides = box.high - box.low;
    const Real extent = max(sides.x, max(sides.y, sides.z)) + Real(to.rule.blur);
    const auto parameter = Real(to.rule.parameter);
    TreeNode<Real>& node = to.nodes[cell];
    node.centre = centre;
    node.extent = extent;
    if (to.rule.rule == Rule::kGeometric) {
        const Vec3<Real> off = xyz(centre) - Real(0.5) * (box.low + box.high);
        node.threshold = opening_radius(extent, sqrt(dot(off, off)), parameter);
    } else {
        node.threshold = relative_threshold(centre.w, extent, parameter, to.rule.order);
    }
    to.lows[cell] = box.low, to.highs[cell] = box.high;
}

/// A thread per leaf: most have few bodies.
template <class Real>
__global__ void weigh_leaves(Weights<Real> to, const Vec4<Real>* bodies, const TreeState<Real>* state, int levels,
                             std::uint32_t room) {
    const LevelSpan last = span_of(*state, levels - 1, room);
    const std::uint32_t cells = last.first + last.count;
    for (std::uint64_t at = thread_index(); at < cells; at += std::uint64_t{gridDim.x} * blockDim.x) {
        const auto cell = static_cast<std::uint32_t>(at);
        const std::int32_t count = -to.nodes[cell].count;
        if (count < 0) continue;
        const Vec4<Real>* of = bodies + to.nodes[cell].first;
        MassSum<Real> sum{.about = xyz(of[0])};
        Corners<Real> box = nowhere<Real>();
        for (std::int32_t i = 0; i < count; ++i) {
            const Vec4<Real> body = of[i];
            sum.add(body);
            box.enclose({xyz(body), xyz(body)});
        }
        const Vec4<Real> centre = sum.centre();
        write_cell(to, cell, centre, box);
        if (to.rule.order != 2) continue;
        Quadrupole<Real> q;
        for (std::int32_t i = 0; i < count; ++i) add_at(q, xyz(of[i]) - xyz(centre), of[i].w);
        to.quadrupoles[cell] = q;
    }
}

/// An octet per cell of `level` that has children: a child per lane.
template <class Real>
__global__ void weigh_level(Weights<Real> to, const TreeState<Real>* state, int level, std::uint32_t room) {
    const LevelSpan span = span_of(*state, level, room);
    const unsigned mine = threadIdx.x % kOctet;
    for (std::uint64_t at = thread_index() / kOctet; at < span.count; at += gridDim.x * (blockDim.x / kOctet)) {
        const std::uint32_t cell = span.first + static_cast<std::uint32_t>(at);
        const std::int32_t count = to.nodes[cell].count;
        if (count < 0) continue;
        const bool has_child = static_cast<std::int32_t>(mine) < count;
        const auto child = static_cast<std::uint32_t>(to.nodes[cell].first) + mine;
        Vec4<Real> part{};
        Corners<Real> box = nowhere<Real>();
        if (has_child) part = to.nodes[child].centre, box = {to.lows[child], to.highs[child]};
        const auto first = [](Real x) { return __shfl_sync(octet_mask(), x, 0, kOctet); };
        MassSum<Real> sum{.about = {first(part.x), first(part.y), first(part.z)}};
        if (has_child) sum.add(part);
        sum.mass = octet_sum(sum.mass);
        sum.first = {octet_sum(sum.first.x), octet_sum(sum.first.y), octet_sum(sum.first.z)};
        if (!(sum.mass > 0)) sum.plain = {octet_sum(sum.plain.x), octet_sum(sum.plain.y), octet_sum(sum.plain.z)};
        sum.count = Real(count);
        box.low = {octet_min(box.low.x), octet_min(box.low.y), octet_min(box.low.z)};
        box.high = {-octet_min(-box.high.x), -octet_min(-box.high.y), -octet_min(-box.high.z)};
        const Vec4<Real> centre = sum.centre();
        if (mine == 0) write_cell(to, cell, centre, box);
        if (to.rule.order != 2) continue;
        Quadrupole<Real> q;
        if (has_child) {
            add_at(q, xyz(part) - xyz(centre), part.w);
            add(q, to.quadrupoles[child]);
        }
        q = {octet_sum(q.xx), octet_sum(q.yy), octet_sum(q.zz), octet_sum(q.xy), octet_sum(q.xz), octet_sum(q.yz)};
        if (mine == 0) to.quadrupoles[cell] = q;
    }
}

/// Cells for each `leaf` bodies that there is room for at first: evenly spread bodies make 3 to 4.
constexpr std::uint64_t kCellsPerLeaf = 5;
}  // namespace

template <class Real>
void TreeBuilder<Real>::reserve_cells(std::uint64_t count) {
    if (nodes_.size() >= count) return;
    require_cells(count);
    ranges_ = {}, nodes_ = {}, lows_ = {}, highs_ = {}, quadrupoles_ = {};
    ranges_ = DeviceBuffer<BodyRange>{count};
    nodes_ = DeviceBuffer<TreeNode<Real>>{count};
    lows_ = DeviceBuffer<Vec3<Real>>{count};
    highs_ = DeviceBuffer<Vec3<Real>>{count};
}

template <class Real>
void TreeBuilder<Real>::split(int first, int last, std::uint32_t leaf, cudaStream_t stream) {
    if (borders_.size() == 0) borders_ = DeviceBuffer<std::uint32_t>{kBorderCells + 1};
    if (first == 0)
        launch("find_borders", linear(kBorderCells + 1), stream, find_borders, sorted_keys_.data(), count_,
               borders_.data());
    for (int level = first; level < last; ++level)
        launch("split_level", octets_for_level(level, nodes_.size()), stream, split_level<Real>, sorted_keys_.data(),
               borders_.data(), level, sorted_levels_, leaf, nodes_.size(), state_.data(), ranges_.data(),
               nodes_.data());
}

template <class Real>
void TreeBuilder<Real>::weigh(const TreeRule& rule, cudaStream_t stream) {
    if (rule.order == 2 && quadrupoles_.size() < nodes_.size())
        quadrupoles_ = {}, quadrupoles_ = DeviceBuffer<Quadrupole<Real>>{nodes_.size()};
    const Weights<Real> to{nodes_.data(), quadrupoles_.data(), lows_.data(), highs_.data(), rule};
    launch("weigh_leaves", threads_for(nodes_.size()), stream, weigh_leaves<Real>, to, bodies_.data(), state_.data(),
           levels_, nodes_.size());
    for (int level = levels_ - 2; level >= 0; --level)
        launch("weigh_level", octets_for_level(level, nodes_.size()), stream, weigh_level<Real>, to, state_.data(),
               level, nodes_.size());
}

template <class Real>
void TreeBuilder<Real>::build(const TreeShape& shape, const TreeRule& rule, const Previous<Real>& previous,
                              cudaStream_t stream, const Event& built) {
    reserve_cells(std::max<std::uint64_t>(1024, kCellsPerLeaf * std::uint64_t{count_} / shape.leaf));
    for (int begin = 0, end = std::min(depth_guess_, sorted_levels_ + 1);;) {
        if (begin == 0)
            launch("plant_root", {dim3(1), dim3(1)}, stream, plant_root<Real>, state_.data(), ranges_.data(), count_);
        split(begin, end, shape.leaf, stream);
        levels_ = end;
        built.record(stream);
        weigh(rule, stream);
        find_groups(shape, stream);
        if (previous.acceleration != nullptr) gather_strengths(previous, stream);
        host_ = read(stream);
        if (host_.overflow != 0) {
            reserve_cells(2 * nodes_.size());
            begin = 0;
        } else if (end <= sorted_levels_ && host_.cells_of_level[end] > 0) {
            begin = end;  // there are further levels
        } else if (host_.deeper != 0 && sorted_levels_ < kKeyLevels) {
            least_levels_ = whole_passes(sorted_levels_ + 1);
            sort_keys(least_levels_, stream);
            begin = 0;
        } else {
            break;
        }
        end = sorted_levels_ + 1;
    }
    cells_ = 0, levels_ = 0;
    while (levels_ < kTreeLevels && host_.cells_of_level[levels_] > 0) cells_ += host_.cells_of_level[levels_++];
    depth_guess_ = std::min(levels_ + 1, kTreeLevels);
}

template <class Real>
TreeState<Real> TreeBuilder<Real>::read(cudaStream_t stream) const {
    if (!pinned_) pinned_ = PinnedBuffer<TreeState<Real>>{1};
    download<TreeState<Real>>(state_, std::span{pinned_.data(), 1}, stream);
    check(cudaStreamSynchronize(stream), "waiting for the tree");
    return *pinned_.data();
}

template <class Real>
TreeView<Real> TreeBuilder<Real>::view() const {
    return {.bodies = bodies_.data(),
            .low = low_.data(),
            .order = order_.data(),
            .strength = strength_.data(),
            .nodes = nodes_.data(),
            .quadrupoles = quadrupoles_.data(),
            .lows = lows_.data(),
            .highs = highs_.data(),
            .groups = groups_.data(),
            .count = count_,
            .state = state_.data()};
}

template class TreeBuilder<float>;
template class TreeBuilder<double>;

}  // namespace orrery::cuda
