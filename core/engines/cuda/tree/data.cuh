// SPDX-License-Identifier: MIT
#pragma once
// Data passed between the parts of the CUDA tree. All of it is in device memory and is rebuilt by each evaluation.
#include <cstdint>

#include "core/base/vec.hpp"
#include "core/physics/keys.hpp"
#include "core/physics/multipole.hpp"

namespace orrery::cuda {

/// Units of the tree: coordinates and masses times powers of two, which is exact, so that the largest coordinate and
/// the mass of all bodies are about 1. Fourth powers of distances then stay within float, whatever the scene's units.
template <class Real>
struct TreeUnits {
    KeyGrid<Real> grid;  ///< of coordinates in the scene's units
    Vec3<Real> low;      ///< corner and side of the root's cube, in the scene's units
    Real side;
    Real per_length, per_mass;
    Real softening2;                 ///< in units of the tree
    double acceleration, potential;  ///< one of the tree's units in the scene's, without G
    Real mean_acceleration_norm;     ///< mean |acceleration| of all bodies, in units of the tree
};

/// 32 bytes in float: one sector.
template <class Real>
struct alignas(16) TreeNode {
    struct alignas(16) Rest {
        Real threshold;      ///< threshold of the opening criterion: see core/physics/opening.hpp
        Real extent;         ///< longest side of the tight box of its bodies
        std::int32_t first;  ///< first child, or first body of a leaf
        std::int32_t count;  ///< children, or -bodies of a leaf
    };
    Vec4<Real> centre;  ///< of mass; w: the mass
    Rest rest;

    __device__ bool is_leaf() const { return rest.count < 0; }
};

constexpr std::uint64_t kMostTreeCells = 1ull << 28;

struct BodyRange {
    std::uint32_t first, end;
};

/// Where the domain of a rank ends on either side: the keys next to it. Without `has`: where the curve does.
struct DomainBorders {
    std::uint64_t before = 0, after = 0;
    bool has_before = false, has_after = false;
};

/// What a body in curve order determines about cells.
struct BodyLevels {
    std::int8_t shared;   ///< level of the deepest cell that it shares with the previous body; -1: none
    std::int8_t divided;  ///< level of its deepest subdivided cell, its leaf is one below; -1: none
};

constexpr int kTreeLevels = kKeyLevels + 1;  ///< the root's is 0; a cell of the last level is a leaf, however full

/// Values that the host reads after a build, and counters of a walk.
template <class Real>
struct TreeState {
    TreeUnits<Real> units;
    std::uint32_t cells_of_level[kTreeLevels];  ///< total number, whether or not there was room
    std::uint32_t overflow;                     ///< not 0: there was not enough room for all cells, so none was created
    std::uint32_t deeper;                       ///< not 0: keys must be sorted by further levels
    std::uint32_t thin;                         ///< of a domain, not 0: the cell that begins it has too few bodies
    std::uint32_t bodies;                       ///< of a domain
    float seconds;  ///< of a domain: what its sort, build and walk took in the evaluation before
    std::uint32_t groups_of_level[kTreeLevels];  ///< by the level of the cell they are cut from, the deepest first
    std::uint32_t tickets;                       ///< of last_of_grid(): 0 between kernels
    unsigned long long with_bodies, with_cells;  ///< interactions of all groups, each counted once per body

    std::uint64_t groups() const {
        std::uint64_t sum = 0;
        for (const std::uint32_t count : groups_of_level) sum += count;
        return sum;
    }
    /// Whether there is a tree to walk. If not, the kernels that use it do nothing, and the host repeats the build.
    __device__ bool whole() const { return overflow == 0 && deeper == 0; }
};

enum class Rule { kGeometric, kRelative };

struct TreeRule {
    Rule rule;
    double parameter;  ///< θ or α
    int order;
    double blur = 0;  ///< uncertainty of positions, in the tree's units: the minimum cell size
};

/// A tree in sorted order, in internal units.
template <class Real>
struct TreeView {
    const Vec4<Real>* bodies;
    const Vec4<Real>* low;          ///< of bodies, as BodyView::low; cells are positioned with the precision of `Real`
    const std::uint32_t* order;     ///< order[i]: which of the scene's bodies is bodies[i]
    const Real* acceleration_norm;  ///< |acceleration| of the previous evaluation; for the relative criterion
    const TreeNode<Real>* nodes;
    const Quadrupole<Real>* quadrupoles;  ///< of order 2
    const Vec3<Real>*lows, *highs;        ///< corners of the tight boxes of cells
    const BodyRange* groups;              ///< `groups_room` for each level, as TreeState::groups_of_level
    std::uint64_t groups_room;
    std::uint32_t count;
    std::uint32_t root;  ///< which node
    TreeState<Real>* state;
};

}  // namespace orrery::cuda
