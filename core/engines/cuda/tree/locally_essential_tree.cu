// SPDX-License-Identifier: MIT
// Construction and exchange of locally essential trees: walks this rank's cells with the groups of another rank, marks
// the cells that these open, and packs and unpacks the messages.
#include "core/engines/cuda/tree/locally_essential_tree.cuh"

namespace orrery::cuda {

// Builds the border section of a distributed tree: each rank describes the children of border cells that it owns, and
// all ranks build the same border cells from them, bottom-up.

namespace {

/// Index of the first of `count` ascending values that is at least `wanted`.
template <class T, class Value>
__device__ std::uint32_t lower_bound(std::uint32_t count, T wanted, const Value& value) {
    std::uint32_t low = 0;
    while (low < count) {
        const std::uint32_t middle = low + (count - low) / 2;
        if (value(middle) < wanted)
            low = middle + 1;
        else
            count = middle;
    }
    return low;
}

/// First cell of the domain: its level and a lower bound on its number of bodies.
struct DomainStart {
    DomainBorders borders;
    int level;
    std::uint32_t least;
};

/// One thread per slot.
template <class Real>
__global__ void describe_child(const BorderView border, std::uint32_t slots, const TreeStore<Real> tree,
                               const DomainStart start, float seconds, BorderChild<Real>* out) {
    const auto slot = static_cast<std::uint32_t>(thread_index());
    TreeState<Real>& state = *tree.state;
    if (slot == 0) {
        const bool enough =
            tree.count > start.least && tree.keys[start.least] - start.borders.before <= keys_in_cell(start.level);
        state.thin = start.borders.has_before && !enough ? 1 : 0;
        state.bodies = tree.count, state.seconds = seconds;
    }
    if (slot >= slots || !state.whole()) return;
    const BorderCell& cell = border.cells[slot / BorderCell::kOctants];
    const unsigned octant = slot % BorderCell::kOctants;
    if (cell.child[octant] != -1 - border.rank) return;
    const int level = cell.level + 1;
    const std::uint64_t first = cell.first + octant * keys_in_cell(level);
    const std::uint32_t body = lower_bound(tree.count, first, [&](std::uint32_t i) { return tree.keys[i]; });
    if (body == tree.count || tree.keys[body] - first >= keys_in_cell(level)) return;
    std::uint32_t begin = 0;
    for (int l = 0; l < level; ++l) begin += state.cells_of_level[l];
    const std::uint32_t at = begin + lower_bound(state.cells_of_level[level], body,
                                                 [&](std::uint32_t i) { return tree.ranges[begin + i].first; });
    BorderChild<Real> child{};
    child.node = tree.nodes[at], child.low = tree.lows[at], child.high = tree.highs[at];
    if (tree.quadrupoles) child.quadrupole = tree.quadrupoles[at];
    child.cell = at, child.first_body = body, child.bodies = tree.ranges[at].end - body;
    out[slot] = child;
}

/// One block.
template <class Real>
__global__ void __launch_bounds__(kBlock) merge(const BorderView border, const TreeStore<Real> tree,
                                                const MomentOutput<Real> to, const BorderChild<Real>* children) {
    const std::uint32_t slots = border.count * BorderCell::kOctants;
    const auto there = [&](std::uint32_t slot) {
        return border.cells[slot / BorderCell::kOctants].child[slot % BorderCell::kOctants] >= 0 ||
               children[slot].bodies > 0;
    };
    for (std::uint32_t i = threadIdx.x; i < border.count; i += kBlock) {
        std::uint32_t count = 0;
        for (unsigned octant = 0; octant < BorderCell::kOctants; ++octant)
            count += there(BorderCell::kOctants * i + octant) ? 1 : 0;
        border.children[i] = count;
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        border.place[0] = tree.border, border.own_cell[0] = kBorderCell;
        tree.ranges[tree.border] = {kForeignBodies, ~0u};
        std::uint32_t next = tree.border + 1;
        for (std::uint32_t i = 0; i < border.count; next += border.children[i++]) border.first[i] = next;
    }
    __syncthreads();
    for (std::uint32_t slot = threadIdx.x; slot < slots; slot += kBlock) {
        border.node_of_slot[slot] = kForeignCell;
        if (!there(slot)) continue;
        const std::uint32_t cell = slot / BorderCell::kOctants;
        std::uint32_t node = border.first[cell];
        for (std::uint32_t earlier = cell * BorderCell::kOctants; earlier < slot; ++earlier)
            node += there(earlier) ? 1 : 0;
        const std::int32_t child = border.cells[cell].child[slot % BorderCell::kOctants];
        if (child >= 0) {
            border.place[child] = node, border.own_cell[node - tree.border] = kBorderCell;
            tree.ranges[node] = {kForeignBodies, ~0u};
            continue;
        }
        const BorderChild<Real>& from = children[slot];
        const bool own = child == -1 - border.rank;
        const std::uint32_t first = own ? from.first_body : kForeignBodies;
        tree.nodes[node] = from.node, tree.lows[node] = from.low, tree.highs[node] = from.high;
        if (tree.quadrupoles) tree.quadrupoles[node] = from.quadrupole;
        tree.ranges[node] = {first, first + from.bodies};
        border.node_of_slot[slot] = node;
        border.own_cell[node - tree.border] = own ? from.cell : kForeignCell;
    }
    __syncthreads();
    for (std::uint32_t i = threadIdx.x; i < border.count; i += kBlock) {
        auto& rest = tree.nodes[border.place[i]].rest;
        rest.first = static_cast<std::int32_t>(border.first[i]);
        rest.count = static_cast<std::int32_t>(border.children[i]);
    }
    __syncthreads();
    for (int level = kKeyLevels - 1; level >= 0; --level) {
        for (std::uint32_t i = threadIdx.x / kOctet; i < border.count; i += kBlock / kOctet)
            if (border.cells[i].level == level) to.divided(border.place[i]);
        __syncthreads();
    }
}

}  // namespace

template <class Real>
void describe_children(const BorderView& border, const TreeStore<Real>& tree, const DomainBorders& borders, int level,
                       std::uint32_t least, float seconds, BorderChild<Real>* out, cudaStream_t stream) {
    check(cudaMemsetAsync(out, 0, border.slots() * sizeof(BorderChild<Real>), stream), "clearing");
    launch("describe_border", linear(border.slots()), stream, describe_child<Real>, border, border.slots(), tree,
           DomainStart{borders, level, least}, seconds, out);
}

template <class Real>
void merge_border(const BorderView& border, const TreeStore<Real>& tree, const MomentOutput<Real>& to,
                  const BorderChild<Real>* children, cudaStream_t stream) {
    launch("merge_border", {dim3(1), dim3(kBlock)}, stream, merge<Real>, border, tree, to, children);
}

template void describe_children(const BorderView&, const TreeStore<float>&, const DomainBorders&, int, std::uint32_t,
                                float, BorderChild<float>*, cudaStream_t);
template void describe_children(const BorderView&, const TreeStore<double>&, const DomainBorders&, int, std::uint32_t,
                                float, BorderChild<double>*, cudaStream_t);
template void merge_border(const BorderView&, const TreeStore<float>&, const MomentOutput<float>&,
                           const BorderChild<float>*, cudaStream_t);
template void merge_border(const BorderView&, const TreeStore<double>&, const MomentOutput<double>&,
                           const BorderChild<double>*, cudaStream_t);

namespace {

/// One warp per group.
template <class Real>
__global__ void describe_group(const TreeView<Real> tree, MacKind rule, std::uint32_t count,
                               RequestingGroup<Real>* out) {
    const auto group = static_cast<std::uint32_t>(thread_index() / 32);
    if (group >= count) return;
    std::uint32_t all;
    const std::uint32_t of_level = groups_of_own_level(tree), earlier = warp_scan(of_level, all);
    const BodyRange range = group_at(tree, group, of_level, earlier);
    GroupEntry<Real> entry;
    for (std::uint32_t first = range.first; first < range.end; first += 32) {
        const std::uint32_t i = min(first + threadIdx.x % 32, range.end - 1);
        entry.add(tree.bodies[i]);
        if (rule == MacKind::kRelative) entry.add_norm(tree, i, first + threadIdx.x % 32 < range.end);
    }
    const CentredBox<Real> box = entry.box();
    const Real acceleration = rule == MacKind::kRelative ? entry.acceleration(range.end - range.first,
                                                                              tree.state->units.mean_acceleration_norm)
                                                         : Real(0);
    if (threadIdx.x % 32 == 0) out[group] = {box, acceleration, Real(0)};
}

/// Stack of families that a block has yet to test: one octet takes one family at a time. Beyond `full` entries only the
/// topmost family is taken, which adds 7 at most.
struct Waiting {
    static constexpr int octets = kBlock / kOctet, full = 256, room = full + 8 * octets + 7 * kTreeLevels;
    std::uint32_t first[room];
    std::int32_t count[room];
    int top;
};

/// The box around the groups of all lanes, and their smallest acceleration: a cell accepted by it is accepted by every
/// group.
template <class Real>
__device__ RequestingGroup<Real> around_all(const RequestingGroup<Real>& own) {
    const Vec3<Real> a = own.box.middle - own.box.half, b = own.box.middle + own.box.half;
    const Vec3<Real> low{warp_min(a.x), warp_min(a.y), warp_min(a.z)},
        high{-warp_min(-b.x), -warp_min(-b.y), -warp_min(-b.z)};
    // Slightly enlarged, to cover rounding.
    constexpr Real kRounding = 4 * std::numeric_limits<Real>::epsilon();
    const auto half = [](Real from, Real to) { return Real(0.5) * (to - from) + kRounding * (fabs(from) + fabs(to)); };
    return {{Real(0.5) * (low + high), {half(low.x, high.x), half(low.y, high.y), half(low.z, high.z)}},
            warp_min(own.acceleration),
            Real(0)};
}

/// One block walks this rank's cells for 32 groups of the other rank, which are mostly neighbours: each thread tests a
/// cell against the box around all of them, and cells that it does not accept are tested against each group, one group
/// per lane.
template <class Real>
__global__ void __launch_bounds__(kBlock)
    mark_needed(const Exporting<Real> out, const TreeView<Real> tree, MacKind rule, int order,
                const RequestingGroup<Real>* groups, std::uint32_t count) {
    __shared__ Waiting stack;
    const unsigned lane = threadIdx.x % 32;
    const RequestingGroup<Real> own = groups[min(blockIdx.x * 32 + lane, count - 1)], all = around_all(own);
    if (threadIdx.x == 0) {
        const auto& root = tree.nodes[tree.root].rest;
        stack.first[0] = static_cast<std::uint32_t>(root.first), stack.count[0] = root.count;
    }
    __syncthreads();
    for (int waiting = 1; waiting > 0; waiting = stack.top) {
        const int take = waiting <= Waiting::full ? min(waiting, Waiting::octets) : 1,
                  mine = static_cast<int>(threadIdx.x / kOctet), child = static_cast<int>(threadIdx.x % kOctet);
        bool asks = false;
        std::uint32_t at = 0, cell = 0;
        TreeNode<Real> node{};
        if (mine < take && child < stack.count[waiting - 1 - mine]) {
            at = stack.first[waiting - 1 - mine] + static_cast<std::uint32_t>(child);
            cell = at < out.tree.border ? at : out.border.own_cell[at - out.tree.border];
            node = tree.nodes[at];
            asks = cell != kForeignCell && !accepts(tree, rule, order, all.box, all.acceleration, node.centre,
                                                    node.rest.threshold, node.rest.extent, at);
        }
        bool opened = false;
        for (unsigned left = __ballot_sync(~0u, asks); left != 0; left &= left - 1) {
            const int who = __ffs(static_cast<int>(left)) - 1;
            const auto of_cell = [who](auto x) { return __shfl_sync(~0u, x, who); };
            const Vec4<Real> centre{of_cell(node.centre.x), of_cell(node.centre.y), of_cell(node.centre.z), 0};
            const bool opens = !accepts(tree, rule, order, own.box, own.acceleration, centre,
                                        of_cell(node.rest.threshold), of_cell(node.rest.extent), of_cell(at));
            const bool any = __any_sync(~0u, opens) != 0;
            if (static_cast<int>(lane) == who) opened = any;
        }
        __syncthreads();  // all families have been read
        if (threadIdx.x == 0) stack.top = waiting - take;
        __syncthreads();
        if (opened && cell != kBorderCell) out.needed[cell] = 1;
        if (opened && !node.is_leaf()) {
            const int place = atomicAdd(&stack.top, 1);
            stack.first[place] = static_cast<std::uint32_t>(node.rest.first), stack.count[place] = node.rest.count;
        }
        __syncthreads();
    }
}

template <class Real>
__device__ std::uint64_t sent_with(const Exporting<Real>& out, std::uint32_t cell) {
    if (cell >= out.cells || out.needed[cell] == 0) return 0;
    const std::int32_t count = out.tree.nodes[cell].rest.count;
    return count > 0 ? static_cast<std::uint64_t>(count) : static_cast<std::uint64_t>(-count) << 32;
}

constexpr unsigned kScanners = 1024;

/// Exclusive prefix sum in three kernels: within blocks, over the blocks, then over all. Its cost is small compared
/// with the walk.
template <class Real>
__global__ void __launch_bounds__(kScanners) scan_in_blocks(const Exporting<Real> out, std::uint64_t* sums) {
    __shared__ std::uint64_t of_warps[kScanners / 32];
    const auto cell = static_cast<std::uint32_t>(thread_index());
    std::uint64_t all;
    std::uint64_t before = warp_scan(sent_with(out, cell), all);
    if (threadIdx.x % 32 == 0) of_warps[threadIdx.x / 32] = all;
    __syncthreads();
    if (threadIdx.x < 32) {
        std::uint64_t block;
        of_warps[threadIdx.x] = warp_scan(of_warps[threadIdx.x], block);
        if (threadIdx.x == 0) sums[blockIdx.x] = block;
    }
    __syncthreads();
    before += of_warps[threadIdx.x / 32];
    if (cell <= out.cells) out.places[cell] = before;
}
template <class Real>
__global__ void __launch_bounds__(kScanners)
    scan_blocks(const Exporting<Real> out, std::uint64_t* sums, std::uint32_t blocks) {
    __shared__ std::uint64_t of_warps[kScanners / 32];
    std::uint64_t done = 0;
    for (std::uint32_t first = 0; first < blocks; first += kScanners) {
        const std::uint32_t i = first + threadIdx.x;
        std::uint64_t all;
        std::uint64_t before = warp_scan(i < blocks ? sums[i] : std::uint64_t{0}, all);
        if (threadIdx.x % 32 == 0) of_warps[threadIdx.x / 32] = all;
        __syncthreads();
        std::uint64_t here;
        const std::uint64_t earlier = warp_scan(of_warps[threadIdx.x % 32], here);
        before += __shfl_sync(~0u, earlier, static_cast<int>(threadIdx.x / 32));
        if (i < blocks) sums[i] = done + before;
        done += here;
        __syncthreads();
    }
    if (threadIdx.x == 0)
        out.sizes[out.to] = {static_cast<std::uint32_t>(done) + out.root_count, static_cast<std::uint32_t>(done >> 32)};
}
template <class Real>
__global__ void add_blocks(const Exporting<Real> out, const std::uint64_t* sums) {
    const std::uint64_t cell = thread_index();
    if (cell <= out.cells) out.places[cell] += sums[cell / kScanners];
}

/// A cell as sent to one rank. If its family is not sent, every group of that rank accepts it.
template <class Real>
__device__ SentCell<Real> sent_cell(const Exporting<Real>& out, std::uint32_t cell) {
    SentCell<Real> sent{};
    sent.node = out.tree.nodes[cell];
    sent.low = out.tree.lows[cell], sent.high = out.tree.highs[cell];
    if (out.tree.quadrupoles) sent.quadrupole = out.tree.quadrupoles[cell];
    const std::uint64_t place = out.places[cell];
    if (out.needed[cell] == 0)
        sent.node.rest.threshold = sent.node.rest.extent = 0, sent.node.rest.first = 0;
    else
        sent.node.rest.first =
            static_cast<std::int32_t>(sent.node.is_leaf() ? static_cast<std::uint32_t>(place >> 32)
                                                          : out.root_count + static_cast<std::uint32_t>(place));
    return sent;
}

/// One thread per cell, which sends the cell's family; the first threads also send one root each.
template <class Real>
__global__ void write_cells(const Exporting<Real> out) {
    std::uint64_t cells_before = 0, bodies_before = 0;
    for (int to = 0; to < out.to; ++to) cells_before += out.sizes[to].cells, bodies_before += out.sizes[to].bodies;
    const auto cell = static_cast<std::uint32_t>(thread_index());
    if (cell < out.root_count) {
        const std::uint32_t node = out.border.node_of_slot[out.roots[cell]];
        if (node != kForeignCell)
            out.sent[cells_before + cell] = sent_cell(out, out.border.own_cell[node - out.tree.border]);
    }
    if (cell >= out.cells || out.needed[cell] == 0) return;
    const std::uint64_t place = out.places[cell];
    const auto rest = out.tree.nodes[cell].rest;
    for (std::int32_t i = 0; i < rest.count; ++i)
        out.sent[cells_before + out.root_count + static_cast<std::uint32_t>(place) + static_cast<std::uint32_t>(i)] =
            sent_cell(out, static_cast<std::uint32_t>(rest.first + i));
    for (std::int32_t i = 0; i < -rest.count; ++i) {
        const std::uint64_t to = bodies_before + (place >> 32) + static_cast<std::uint32_t>(i);
        out.bodies[to] = out.tree.bodies[rest.first + i];
        if (out.low) out.low[to] = out.tree.low[rest.first + i];
    }
}

/// One thread per cell.
template <class Real>
__global__ void read_cells(const Importing<Real> in) {
    const auto i = static_cast<std::uint32_t>(thread_index());
    if (i >= in.cells) return;
    SentCell<Real> sent = in.sent[i];
    sent.node.rest.first += static_cast<std::int32_t>(sent.node.is_leaf() ? in.first_body : in.first_cell);
    const std::uint32_t at = in.first_cell + i;
    in.tree.nodes[at] = sent.node, in.tree.lows[at] = sent.low, in.tree.highs[at] = sent.high;
    if (in.tree.quadrupoles) in.tree.quadrupoles[at] = sent.quadrupole;
    if (i >= in.root_count) return;
    const std::uint32_t node = in.border.node_of_slot[in.roots[i]];
    if (node != kForeignCell) in.tree.nodes[node] = sent.node;
}

/// Without `order` the indices are stored in w.
template <class Real>
__global__ void scatter_all(const Vec4<Real>* in, const std::uint32_t* order, Vec4<Real>* out, std::uint64_t count) {
    const std::uint64_t i = thread_index();
    if (i >= count) return;
    Vec4<Real> found = in[i];
    const std::uint32_t body = order ? order[i] : as_number(found.w);
    if (!order) found.w = 0;
    out[body] = found;
}

}  // namespace

template <class Real>
void describe_groups(const TreeView<Real>& tree, MacKind rule, std::uint32_t count, RequestingGroup<Real>* out,
                     cudaStream_t stream) {
    launch("describe_groups", linear(std::uint64_t{32} * count), stream, describe_group<Real>, tree, rule, count, out);
}

template <class Real>
void mark_needed_cells(const Exporting<Real>& out, const TreeView<Real>& tree, MacKind rule, int order,
                       const RequestingGroup<Real>* groups, std::uint32_t count, cudaStream_t stream) {
    check(cudaMemsetAsync(out.needed, 0, out.cells, stream), "clearing");
    launch("mark_needed", {dim3((count + 31) / 32), dim3(kBlock)}, stream, mark_needed<Real>, out, tree, rule, order,
           groups, count);
}

std::uint64_t scan_sums(std::uint64_t cells) { return cells / kScanners + 1; }

template <class Real>
void measure_message(const Exporting<Real>& out, std::uint64_t* sums, cudaStream_t stream) {
    const auto blocks = static_cast<std::uint32_t>(scan_sums(out.cells));
    launch("scan_in_blocks", {dim3(blocks), dim3(kScanners)}, stream, scan_in_blocks<Real>, out, sums);
    launch("scan_blocks", {dim3(1), dim3(kScanners)}, stream, scan_blocks<Real>, out, sums, blocks);
    launch("add_blocks", linear(std::uint64_t{out.cells} + 1), stream, add_blocks<Real>, out, sums);
}

template <class Real>
void write_message(const Exporting<Real>& out, cudaStream_t stream) {
    launch("write_cells_sent", linear(std::max(out.cells, out.root_count)), stream, write_cells<Real>, out);
}

template <class Real>
void read_message(const Importing<Real>& in, cudaStream_t stream) {
    launch("read_cells_sent", linear(in.cells), stream, read_cells<Real>, in);
}

template <class Real>
void scatter(const Vec4<Real>* in, const std::uint32_t* order, Vec4<Real>* out, std::uint64_t count,
             cudaStream_t stream) {
    launch("scatter", linear(count), stream, scatter_all<Real>, in, order, out, count);
}

#define ORRERY_ESSENTIAL(Real)                                                                           \
    template void describe_groups(const TreeView<Real>&, MacKind, std::uint32_t, RequestingGroup<Real>*, \
                                  cudaStream_t);                                                         \
    template void mark_needed_cells(const Exporting<Real>&, const TreeView<Real>&, MacKind, int,         \
                                    const RequestingGroup<Real>*, std::uint32_t, cudaStream_t);          \
    template void measure_message(const Exporting<Real>&, std::uint64_t*, cudaStream_t);                 \
    template void write_message(const Exporting<Real>&, cudaStream_t);                                   \
    template void read_message(const Importing<Real>&, cudaStream_t);                                    \
    template void scatter(const Vec4<Real>*, const std::uint32_t*, Vec4<Real>*, std::uint64_t, cudaStream_t)
ORRERY_ESSENTIAL(float);
ORRERY_ESSENTIAL(double);
#undef ORRERY_ESSENTIAL

}  // namespace orrery::cuda
