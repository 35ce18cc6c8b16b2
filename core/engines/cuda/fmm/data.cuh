// SPDX-License-Identifier: MIT
#pragma once
// Data passed between the parts of the fast multipole method on a device; rebuilt by each evaluation.
#include <cstdint>

#include "core/engines/cuda/tree/data.cuh"

namespace orrery::cuda {

/// Of a cell, in the tree's units.
template <class Real>
struct CellReach {
    Real radius;  ///< of a sphere about the centre of mass that holds all bodies
    Real spread;  ///< root mean square distance of the bodies from it, weighed by mass
};

/// What acts on a group body by body, last chunk first: cells, whose bodies do, or with kAsMass as one mass.
constexpr std::uint32_t kAsMass = 1u << 31, kNoChunk = ~0u;
struct NearChunk {
    static constexpr std::uint32_t kEntries = 63;
    std::uint32_t cells[kEntries];
    std::uint32_t before;  ///< another chunk, or kNoChunk
};
struct NearList {
    std::uint32_t last;   ///< chunk; all but this one are full
    std::uint32_t count;  ///< entries of the last chunk
    std::uint32_t met;    ///< expansions that the group met
};

/// Cells that a cluster leaves to its groups. More than there is room for, and they begin at the root.
constexpr std::uint32_t kMostLeft = 2048;

/// Counted by the device.
struct FmmState {
    std::uint32_t chunks;            ///< needed; more than there are: not all lists are whole
    unsigned long long with_bodies;  ///< pairs of bodies, and of a body and a cell as one mass
    unsigned long long with_cells;   ///< expansions met by groups and clusters
};

template <class Real>
struct FmmArgs {
    TreeView<Real> tree;
    const BodyRange* clusters;
    const std::uint32_t* cluster_of_group;
    const CellReach<Real>* reach;
    const Real* moments;  ///< by cell, in lengths of 1/kZoom
    std::uint32_t* left;  ///< kMostLeft of each cluster
    std::uint32_t* left_count;
    Real* cluster_locals;  ///< by cluster; lengths of 1/kZoom
    Vec4<Real>* far;       ///< in the order of the tree: acceleration and Σ m/√(r² + ε²)
    NearList* near;        ///< by group, from 0
    NearChunk* chunks;
    std::uint32_t chunks_room;
    FmmState* state;
    Rule rule;
    Real alpha;                 ///< of the relative rule: largest error of a cell, over the acceleration
    Real theta, cluster_theta;  ///< largest (radius + radius)/distance: of groups, of clusters
    bool masses;                ///< cells may act as one mass: their thresholds are of this rule
    Real blur;                  ///< what positions of cells are uncertain by
    Vec4<Real>* acceleration;   ///< by which of the scene's bodies it is
    double G;
    std::uint64_t first, last;  ///< groups or clusters
};

}  // namespace orrery::cuda
