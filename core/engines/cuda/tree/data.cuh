// SPDX-License-Identifier: MIT
// Data passed between the parts of the CUDA tree. All of it is in device memory and is rebuilt by each evaluation.
#pragma once
#include <cuda_runtime_api.h>

#include <cstdint>

#include "core/base/vec.hpp"
#include "core/physics/multipole.hpp"
#include "core/spatial/keys.hpp"

namespace orrery::cuda {

/// Units of the tree: coordinates and masses times powers of two, which is exact, such that the largest coordinate and
/// the mass of all bodies are about 1. Fourth powers of distances then fit a float, whatever the scene's units.
template <class Real>
struct TreeUnits {
    KeyGrid<Real> grid;  ///< of coordinates in the scene's units
    Vec3<Real> low;      ///< corner and side of the root's cube, in the scene's units
    Real side;
    Real per_length, per_mass;
    Real softening2;                 ///< in units of the tree
    double acceleration, potential;  ///< the tree's units in units of the scene, without G
    Real mean_acceleration_norm;     ///< mean |acceleration| of all bodies, in units of the tree
};

/// 32 bytes in float: one sector.
template <class Real>
struct alignas(16) TreeNode {
    struct alignas(16) Rest {
        Real threshold;      ///< threshold of the acceptance criterion: see core/physics/opening.hpp
        Real extent;         ///< longest side of the tight bounding box of its bodies
        std::int32_t first;  ///< first child, or first body of a leaf
        std::int32_t count;  ///< number of children, or minus the number of bodies of a leaf
    };
    Vec4<Real> centre;  ///< centre of mass; w: the mass
    Rest rest;

    __device__ bool is_leaf() const { return rest.count < 0; }
};

constexpr std::uint64_t kMostTreeCells = 1ull << 28;

struct BodyRange {
    std::uint32_t first, end;
};

/// The keys just outside a rank's domain. Without `has_…` the domain reaches that end of the curve.
struct DomainBorders {
    std::uint64_t before = 0, after = 0;
    bool has_before = false, has_after = false;
};

/// Levels at which cells begin or end at a body, in curve order.
struct BodyLevels {
    std::int8_t shared;   ///< level of the deepest cell that it shares with the previous body; -1: none
    std::int8_t divided;  ///< level of its deepest divided cell, one above its leaf; -1: none
};

constexpr int kTreeLevels = kKeyLevels + 1;  ///< the root's level is 0; a cell of the last level is a leaf, however
                                             ///< many bodies it has

/// Values that the host reads after a build, and counters of a walk.
template <class Real>
struct TreeState {
    TreeUnits<Real> units;
    std::uint32_t cells_of_level[kTreeLevels];  ///< total number, even if there was not enough room
    std::uint32_t overflow;                     ///< not 0: there was not enough room for all cells, so none was created
    std::uint32_t deeper;                       ///< not 0: keys must be sorted by more levels
    std::uint32_t thin;                         ///< domains: not 0 if the first cell has too few bodies
    std::uint32_t bodies;                       ///< domains: number of bodies
    float seconds;  ///< domains: duration of sort, build and walk in the previous evaluation
    std::uint32_t groups_of_level[kTreeLevels];  ///< by the level of the cell they are cut from, the deepest first
    std::uint32_t tickets;                       ///< for last_of_grid(): 0 between kernels
    unsigned long long with_bodies, with_cells;  ///< interactions of all groups, each counted once per body

    std::uint64_t groups() const {
        std::uint64_t sum = 0;
        for (const std::uint32_t count : groups_of_level) sum += count;
        return sum;
    }
    /// True if there is a tree to walk. Otherwise the kernels that use it do nothing, and the host repeats the build.
    __device__ bool whole() const { return overflow == 0 && deeper == 0; }
};

enum class MacKind { kGeometric, kRelative };

struct TreeMac {
    MacKind rule;
    double parameter;  ///< θ or α
    int order;
    double blur = 0;  ///< uncertainty of positions, in the tree's units, added to the cell size
};

/// A tree in sorted order, in internal units.
template <class Real>
struct TreeView {
    const Vec4<Real>* bodies;
    const Vec4<Real>* low;          ///< of bodies, as BodyView::low; cells are positioned with the precision of `Real`
    const std::uint32_t* order;     ///< order[i]: index of the scene's body at bodies[i]
    const Real* acceleration_norm;  ///< |acceleration| of the previous evaluation; for the relative criterion
    const TreeNode<Real>* nodes;
    const Quadrupole<Real>* quadrupoles;  ///< for order 2
    const Vec3<Real>*lows, *highs;        ///< corners of the cells' tight bounding boxes
    const BodyRange* groups;              ///< `groups_room` entries for each level, as TreeState::groups_of_level
    std::uint64_t groups_room;
    std::uint32_t count;
    std::uint32_t root;  ///< its node
    TreeState<Real>* state;
};

/// A cluster of neighbouring bodies from which groups were cut.
struct TreeCluster {
    BodyRange bodies;
};
struct TreeGroup {
    BodyRange bodies;
    std::uint32_t cluster;
};

}  // namespace orrery::cuda
