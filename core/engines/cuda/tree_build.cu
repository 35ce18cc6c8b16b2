// SPDX-License-Identifier: MIT
#include "core/engines/cuda/tree_build.cuh"

#include <thrust/iterator/counting_iterator.h>

#include <algorithm>
#include <cub/device/device_partition.cuh>
#include <cub/device/device_select.cuh>

#include "core/cuda/launch.cuh"
#include "core/physics/opening.hpp"

namespace orrery::cuda {
namespace {

constexpr unsigned kOctet = 8;  // lanes that share a cell: one per octant

/// Lanes of this thread's octet, for shuffles and ballots.
__device__ unsigned octet_mask() { return 0xffu << (threadIdx.x % 32 / kOctet * kOctet); }
template <class T>
__device__ T octet_sum(T x) {
    for (unsigned step = 1; step < kOctet; step *= 2) x += __shfl_xor_sync(octet_mask(), x, step);
    return x;
}
template <class T>
__device__ T octet_min(T x) {
    for (unsigned step = 1; step < kOctet; step *= 2) x = min(x, __shfl_xor_sync(octet_mask(), x, step));
    return x;
}

struct LevelSpan {
    std::uint32_t first, count;
};
/// Cells of a level lie together, level after level. What found no room is not counted.
template <class Real>
__device__ LevelSpan span_of(const TreeState<Real>& state, int level, std::uint32_t room) {
    std::uint32_t first = 0;
    for (int l = 0; l < level; ++l) first += state.cells_of_level[l];
    return {first, first < room ? min(state.cells_of_level[level], room - first) : 0};
}

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

template <class Real>
struct Corners {
    Vec3<Real> low, high;

    __device__ void enclose(const Corners& other) {
        low = {min(low.x, other.low.x), min(low.y, other.low.y), min(low.z, other.low.z)};
        high = {max(high.x, other.high.x), max(high.y, other.high.y), max(high.z, other.high.z)};
    }
};
template <class Real>
__device__ Corners<Real> nowhere() {
    const Real far = std::numeric_limits<Real>::max();
    return {{far, far, far}, {-far, -far, -far}};
}

/// What a cell is, once its centre of mass and the tight box of its bodies are known.
template <class Real>
__device__ void write_cell(const Weights<Real>& to, std::uint32_t cell, const Vec4<Real>& centre,
                           const Corners<Real>& box) {
    const Vec3<Real> sides = box.high - box.low;
    const Real extent = max(sides.x, max(sides.y, sides.z));
    const auto parameter = Real(to.rule.parameter);
    TreeNode<Real>& node = to.nodes[cell];
    node.centre = centre;
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

/// Which groups have weak forces: at the centre of a cluster forces cancel, but cells have to be as exact there as the
/// sum is small, and walks are up to ten times as long as on average.
template <class Real>
__global__ void find_weak(const TreeState<Real>* state, const std::uint32_t* groups, std::uint32_t bodies,
                          const Real* strength, std::uint8_t* weak) {
    const std::uint64_t i = thread_index();
    if (i >= state->groups) return;
    const std::uint32_t first = groups[i], end = i + 1 < state->groups ? groups[i + 1] : bodies;
    const Real sample = min(strength[first], min(strength[first + (end - first) / 2], strength[end - 1]));
    weak[i] = sample < Real(0.25) * state->units.mean_strength;
}

/// Cells for each `leaf` bodies that there is room for at first: evenly spread bodies make 3 to 4.
constexpr std::uint64_t kCellsPerLeaf = 5;
constexpr unsigned kBlock = 256;
/// Threads for a loop over up to `most` cells; the device knows how many there are.
Shape threads_for(std::uint64_t most) {
    return {dim3(static_cast<unsigned>(std::clamp<std::uint64_t>((most + kBlock - 1) / kBlock, 1, 2048))),
            dim3(kBlock)};
}
Shape octets_for_level(int level, std::uint64_t room) {
    return threads_for(kOctet * (level < kKeyLevels ? std::min(room, std::uint64_t{1} << 3 * level) : room));
}

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

template <class Real>
void TreeBuilder<Real>::schedule_groups(cudaStream_t stream) {
    const std::uint32_t groups = host_.groups;
    if (schedule_.size() < groups) {
        const std::size_t room = groups + groups / 8;
        schedule_ = DeviceBuffer<std::uint32_t>{room};
        weak_ = DeviceBuffer<std::uint8_t>{room};
    }
    launch("find_weak", linear(groups), stream, find_weak<Real>, state_.data(), groups_.data(), count_,
           strength_.data(), weak_.data());
    const auto partition = [&](void* memory, std::size_t& bytes) {
        check(cub::DevicePartition::Flagged(memory, bytes, thrust::counting_iterator<std::uint32_t>{0}, weak_.data(),
                                            schedule_.data(), &state_.data()->weak_groups,
                                            static_cast<std::int64_t>(groups), stream),
              "scheduling groups");
    };
    std::size_t bytes = 0;
    partition(nullptr, bytes);
    partition(scratch(bytes), bytes);
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
    TreeState<Real> state;
    download<TreeState<Real>>(state_, std::span{&state, 1}, stream);
    check(cudaStreamSynchronize(stream), "waiting for the tree");
    return state;
}

template <class Real>
TreeView<Real> TreeBuilder<Real>::view() const {
    return {.bodies = bodies_.data(),
            .order = order_.data(),
            .strength = strength_.data(),
            .nodes = nodes_.data(),
            .quadrupoles = quadrupoles_.data(),
            .groups = groups_.data(),
            .schedule = nullptr,
            .count = count_,
            .state = state_.data()};
}

template class TreeBuilder<float>;
template class TreeBuilder<double>;

}  // namespace orrery::cuda
