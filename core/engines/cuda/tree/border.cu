// SPDX-License-Identifier: MIT
// Builds the border section of a distributed tree: each rank describes the children of border cells that it owns, and
// all ranks build the same border cells from them, bottom-up.
#include "core/engines/cuda/tree/border.cuh"

namespace orrery::cuda {
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
__global__ void describe(const BorderView border, std::uint32_t slots, const TreeStore<Real> tree,
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
    launch("describe_border", linear(border.slots()), stream, describe<Real>, border, border.slots(), tree,
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

}  // namespace orrery::cuda
