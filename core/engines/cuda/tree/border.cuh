// SPDX-License-Identifier: MIT
#pragma once
// The top of a tree whose domains lie with several ranks: border cells, which all ranks make from the same children.
#include "core/engines/cuda/tree/build.cuh"
#include "core/engines/cuda/tree/moments.cuh"

namespace orrery::cuda {

/// A child of a border cell, as the rank that has all of it tells the others. All zero: there is none.
template <class Real>
struct alignas(16) BorderChild {
    TreeNode<Real> node;
    Quadrupole<Real> quadrupole;
    Vec3<Real> low, high;
    std::uint32_t cell, first_body, bodies, unused;  ///< where its rank has it
};

/// What a node of the border section stands for on this rank, if not for a cell of its own domain.
constexpr std::uint32_t kForeignCell = ~0u, kBorderCell = ~0u - 1;
/// Bodies of other domains are not numbered here; groups are not made of them.
constexpr std::uint32_t kForeignBodies = 1u << 31;

/// Border cells and their children, in device memory; a slot is 8 · cell + octant.
struct BorderView {
    const BorderCell* cells;
    std::uint32_t count;
    int rank;
    std::uint32_t *children, *first;  ///< of each cell: how many there are; the node of the first one
    std::uint32_t* place;             ///< of each cell: its node
    std::uint32_t* node_of_slot;      ///< kForeignCell: it has none, or is a border cell
    std::uint32_t* own_cell;          ///< of each node of the section: the cell of this rank, or what it is instead

    std::uint32_t slots() const { return count * BorderCell::kOctants; }
};

/// Enqueues the description of the children that are in this rank's domain; others stay as they are. Writes
/// TreeState::thin, and `seconds` into the state.
template <class Real>
void describe_children(const BorderView& border, const TreeStore<Real>& tree, const DomainBorders& borders, int level,
                       std::uint32_t least, float seconds, BorderChild<Real>* out, cudaStream_t stream);
/// Enqueues the section of border nodes, from the children of all ranks.
template <class Real>
void merge_border(const BorderView& border, const TreeStore<Real>& tree, const MomentOutput<Real>& to,
                  const BorderChild<Real>* children, cudaStream_t stream);

}  // namespace orrery::cuda
