// SPDX-License-Identifier: MIT
#pragma once
// The top of a distributed tree: border cells, whose bodies belong to several ranks; every rank builds them from the
// same children.
#include "core/engines/cuda/tree/build.cuh"
#include "core/engines/cuda/tree/moments.cuh"

namespace orrery::cuda {

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

}  // namespace orrery::cuda
