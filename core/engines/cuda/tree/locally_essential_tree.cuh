// SPDX-License-Identifier: MIT
// The locally essential tree (Salmon 1991, thesis, Caltech; Dubinski 1996, New Astron. 1, 133): the part of other
// domains that the groups of a rank need. Each rank walks its own cells with the groups of another, and sends the
// families that these open.
#pragma once
#include "core/engines/cuda/tree/build.cuh"
#include "core/engines/cuda/tree/moments.cuh"
#include "core/engines/cuda/tree/walk_args.cuh"

namespace orrery::cuda {

// The top of a distributed tree: border cells, whose bodies belong to several ranks; every rank builds them from the
// same children.

/// A child of a border cell, as described by the rank that owns it. All zero if there is no such cell.
template <class Real>
struct alignas(16) BorderChild {
    TreeNode<Real> node;
    Quadrupole<Real> quadrupole;
    Vec3<Real> low, high;
    std::uint32_t cell, first_body, bodies, unused;  ///< of the owning rank
};

/// Values of own_cell for nodes of the border section that are not cells of this rank's domain.
constexpr std::uint32_t kForeignCell = ~0u, kBorderCell = ~0u - 1;
/// First body of cells in other domains: their bodies have no index here, and form no groups.
constexpr std::uint32_t kForeignBodies = 1u << 31;

/// Border cells and their children, in device memory; a slot is 8 · cell + octant.
struct BorderView {
    const BorderCell* cells;
    std::uint32_t count;
    int rank;
    std::uint32_t *children, *first;  ///< per cell: number of children; node of the first one
    std::uint32_t* place;             ///< per cell: its node
    std::uint32_t* node_of_slot;      ///< kForeignCell: there is no cell, or it is a border cell
    std::uint32_t* own_cell;          ///< per node of the section: the cell of this rank, kForeignCell or kBorderCell

    std::uint32_t slots() const { return count * BorderCell::kOctants; }
};

/// Enqueues the description of the children in this rank's domain; all others are zeroed. Writes TreeState::thin, and
/// `seconds` into the state.
template <class Real>
void describe_children(const BorderView& border, const TreeStore<Real>& tree, const DomainBorders& borders, int level,
                       std::uint32_t least, float seconds, BorderChild<Real>* out, cudaStream_t stream);
/// Enqueues the construction of the border section from the children of all ranks.
template <class Real>
void merge_border(const BorderView& border, const TreeStore<Real>& tree, const MomentOutput<Real>& to,
                  const BorderChild<Real>* children, cudaStream_t stream);

/// A group of bodies as sent to other ranks.
template <class Real>
struct alignas(16) RequestingGroup {
    CentredBox<Real> box;
    Real acceleration;  ///< error scale for the relative criterion
    Real unused;
};

/// A cell in a message. Indices of children and bodies are relative to the start of the message.
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
    const std::uint32_t* roots;  ///< slots of this rank's children of border cells; their cells come first
    std::uint32_t root_count;
    std::uint32_t cells;   ///< number of cells of this rank's tree
    std::uint8_t* needed;  ///< per cell: 1 if its children or bodies are needed
    std::uint64_t* places;  ///< per cell and at the end: number of cells and, times 2³², of bodies that precede its own
    MessageSize* sizes;     ///< sizes of this rank's messages, by receiver
    SentCell<Real>* sent;  ///< all messages, one after the other; the same for `bodies` and `low`
    Vec4<Real>*bodies, *low;
    int to;
};

/// Writes an entry for each of the `count` groups of the tree.
template <class Real>
void describe_groups(const TreeView<Real>& tree, MacKind rule, std::uint32_t count, RequestingGroup<Real>* out,
                     cudaStream_t stream);
/// Marks the cells that groups of another rank need.
template <class Real>
void mark_needed_cells(const Exporting<Real>& out, const TreeView<Real>& tree, MacKind rule, int order,
                       const RequestingGroup<Real>* groups, std::uint32_t count, cudaStream_t stream);
/// Number of sums that measure_message() needs room for.
std::uint64_t scan_sums(std::uint64_t cells);
/// Writes `places`, and the size of the message to sizes[to].
template <class Real>
void measure_message(const Exporting<Real>& out, std::uint64_t* sums, cudaStream_t stream);
/// Writes the message after those to lower ranks.
template <class Real>
void write_message(const Exporting<Real>& out, cudaStream_t stream);

/// A received message.
template <class Real>
struct Importing {
    TreeStore<Real> tree;
    BorderView border;
    const SentCell<Real>* sent;
    std::uint32_t cells;
    const std::uint32_t* roots;  ///< the sender's slots
    std::uint32_t root_count;
    std::uint32_t first_cell, first_body;  ///< destination
};
template <class Real>
void read_message(const Importing<Real>& in, cudaStream_t stream);

/// out[order[i]] = in[i]; if `order` is null, indices are in w (see WalkArgs::in_order).
template <class Real>
void scatter(const Vec4<Real>* in, const std::uint32_t* order, Vec4<Real>* out, std::uint64_t count,
             cudaStream_t stream);

}  // namespace orrery::cuda
