// SPDX-License-Identifier: MIT
#pragma once
// What the groups of a rank need of the domains of others: their locally essential tree (Salmon 1991, thesis, Caltech;
// Dubinski 1996, New Astron. 1, 133). Each rank walks its own cells with the groups of another, and sends the families
// that these look at.
#include "core/engines/cuda/tree/border.cuh"
#include "core/engines/cuda/tree/walk_args.cuh"

namespace orrery::cuda {

/// What a rank tells of a group.
template <class Real>
struct alignas(16) AskingGroup {
    Box<Real> box;
    Real acceleration;  ///< that errors are compared with
    Real unused;
};

/// A cell as it is sent. Children and bodies are counted from the first of the message.
template <class Real>
struct alignas(16) SentCell {
    TreeNode<Real> node;
    Quadrupole<Real> quadrupole;
    Vec3<Real> low, high;
};

struct MessageSize {
    std::uint32_t cells, bodies;
};

template <class Real>
struct Exporting {
    TreeStore<Real> tree;
    BorderView border;
    const std::uint32_t* roots;  ///< slots of this rank's children of border cells; they come first
    std::uint32_t root_count;
    std::uint32_t cells;    ///< of this rank's tree
    std::uint8_t* needed;   ///< of each: its children, or bodies, are
    std::uint64_t* places;  ///< of each, and at the end: cells and, times 2³², bodies that precede its own
    MessageSize* sizes;     ///< of this rank's messages, by receiver
    SentCell<Real>* sent;   ///< all messages, one after the other, as the next two
    Vec4<Real>*bodies, *low;
    int to;
};

/// Writes a group's entry for each of the `count` groups that the tree has.
template <class Real>
void describe_groups(const TreeView<Real>& tree, Rule rule, std::uint32_t count, AskingGroup<Real>* out,
                     cudaStream_t stream);
/// Marks what groups of another rank need.
template <class Real>
void find_needed(const Exporting<Real>& out, const TreeView<Real>& tree, Rule rule, int order,
                 const AskingGroup<Real>* groups, std::uint32_t count, cudaStream_t stream);
/// How many sums measure_message() needs room for.
std::uint64_t scan_sums(std::uint64_t cells);
/// Writes the places and sizes[to] of what is marked.
template <class Real>
void measure_message(const Exporting<Real>& out, std::uint64_t* sums, cudaStream_t stream);
/// Writes the message after those to lower ranks.
template <class Real>
void write_message(const Exporting<Real>& out, cudaStream_t stream);

/// A message that arrived.
template <class Real>
struct Importing {
    TreeStore<Real> tree;
    BorderView border;
    const SentCell<Real>* sent;
    std::uint32_t cells;
    const std::uint32_t* roots;  ///< slots of the sender
    std::uint32_t root_count;
    std::uint32_t first_cell, first_body;  ///< where they go
};
template <class Real>
void read_message(const Importing<Real>& in, cudaStream_t stream);

/// out[order[i]] = in[i]; null: the order is in w, as WalkArgs::in_order says.
template <class Real>
void scatter(const Vec4<Real>* in, const std::uint32_t* order, Vec4<Real>* out, std::uint64_t count,
             cudaStream_t stream);

}  // namespace orrery::cuda
