// SPDX-License-Identifier: MIT
#pragma once
// Data passed between the parts of the fast multipole method on a device; rebuilt by each evaluation.
#include <cstdint>
#include <span>

#include "core/engines/cuda/fmm/tuning.hpp"
#include "core/engines/cuda/tree/data.cuh"
#include "core/engines/cuda/tree/walk_args.cuh"

namespace orrery::cuda {

/// Extent of a cell, in the tree's units.
template <class Real>
struct CellReach {
    Real radius;  ///< of a sphere about the centre of mass that contains all bodies
    Real spread;  ///< mass-weighted root mean square distance of the bodies from the centre
};

/// Near list of a group, in chunks linked from last to first: leaf cells, whose bodies interact with the group one by
/// one, or with kAsMass cells that act as point masses.
constexpr std::uint32_t kAsMass = 1u << 31, kNoChunk = ~0u;
struct alignas(16) NearChunk {
    static constexpr std::uint32_t kEntries = 63;
    std::uint32_t cells[kEntries];
    std::uint32_t before;  ///< previous chunk, or kNoChunk
};
/// The chunks that one warp has found; if it had the group alone, the first.
struct NearChain {
    std::uint32_t last;        ///< the last chunk; all others are full
    std::uint32_t count;       ///< number of entries in the last chunk
    std::uint32_t expansions;  ///< number of expansions evaluated
};
struct NearList {
    NearChain of_warp[kTeam];
};

/// Maximum number of cells that a cluster passes on to its groups. If there are more, its groups start at the root.
constexpr std::uint32_t kMostLeft = 2048;

/// Counters on the device.
struct FmmState {
    std::uint32_t chunks;            ///< number of chunks needed; if it exceeds the room, some lists are incomplete
    unsigned long long with_bodies;  ///< pairs of bodies, and of a body and a cell as a point mass
    unsigned long long with_cells;   ///< expansions evaluated for groups and clusters
};

template <class Real>
struct FmmArgs {
    TreeView<Real> tree;
    const TreeCluster* clusters;
    const TreeGroup* groups;
    const CellReach<Real>* reach;
    const Real* moments;        ///< by cell, in lengths of 1/kZoom
    std::uint32_t* left;        ///< kMostLeft entries for each cluster, the same number for each of its warps
    std::uint32_t* left_count;  ///< kTeam for each cluster
    Real* cluster_locals;       ///< by cluster, in lengths of 1/kZoom
    Vec4<Real>* far;            ///< in tree order: acceleration and Σ m/√(r² + ε²)
    NearList* near;             ///< by group
    NearChunk* chunks;
    std::uint32_t chunks_room;
    FmmState* state;
    MacKind rule;
    Real alpha;                 ///< relative criterion: upper bound of a cell's error over the acceleration
    Real theta, cluster_theta;  ///< upper bounds of (radius + radius)/distance, for groups and for clusters
    bool masses;                ///< cells may act as point masses: their thresholds are for this criterion
    Real blur;                  ///< uncertainty of the positions of cells
    Vec4<Real>* acceleration;   ///< in the scene's order
    double G;
    WalkRanks ranks;            ///< a cluster and its groups belong to the rank of the cluster's first body
    std::uint64_t first, last;  ///< range of groups or clusters
};

/// True if this rank evaluates the cluster, or the group.
template <class Real>
__device__ bool belongs_here(const FmmArgs<Real>& in, const TreeCluster& cluster) {
    return in.ranks.mine(cluster.bodies.first);
}
template <class Real>
__device__ bool belongs_here(const FmmArgs<Real>& in, const TreeGroup& group) {
    return in.ranks.count == 1 || belongs_here(in, in.clusters[group.cluster]);
}

// The compiled kernels; core/CMakeLists.txt compiles the menu of each precision in its own unit.

/// The far-field kernels of one order.
template <class Real>
struct FarVariant {
    int order;
    bool potential;
    bool together;  ///< all warps of a block share a target
    void (*clusters)(FmmArgs<Real>);
    void (*groups)(FmmArgs<Real>);
};
template <class Real>
std::span<const FarVariant<Real>> far_variants();  ///< in far.cuh

template <class Real>
struct NearVariant {
    int bodies;  ///< bodies per lane; a group has up to 32 times as many
    bool softened, potential, split;
    int warps;  ///< per block
    void (*kernel)(FmmArgs<Real>);
};
template <class Real>
std::span<const NearVariant<Real>> near_variants();  ///< in near.cuh

}  // namespace orrery::cuda
