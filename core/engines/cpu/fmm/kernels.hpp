// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <vector>

#include "core/engines/cpu/fmm/cells.hpp"

namespace orrery {

/// The acceptance criterion: when two cells may interact through their expansions.
struct FmmMac {
    bool relative;  ///< by error, compared with Family::least; false: by θ alone
    double theta;   ///< upper bound of (radius + radius)/distance
};

/// The data shared by all parts of an evaluation. Non-owning. Lengths and masses are in the engine's units, where G is
/// 1.
template <class Real>
struct FmmView {
    Family<Real>* families;
    Real *moments, *locals;  ///< indexed by family, term and lane
    const Real* place[7];    ///< sorted bodies: x, y, z, mass, and the low parts of x, y and z or null
    Real* field[4];  ///< of the sorted bodies, accumulated: acceleration and, if requested, Σ m/√(r² + ε²)
    Real softening2;
    Real blur;  ///< uncertainty of the positions of cells
    int order;
    FmmMac rule;
    bool potential;

    bool split() const { return place[4] != nullptr; }
};

/// Two different cells, or the same one twice: the interactions among its bodies.
struct FmmPair {
    FmmCell a, b;
};

/// Number of body pairs up to which direct summation is faster than expansions of this order.
constexpr std::uint64_t few_pairs(int order) {
    return order < 3 ? 32 : order < 5 ? 64 : order < 6 ? 160 : order < 7 ? 320 : 800;
}

struct FmmCounts {
    std::uint64_t bodies = 0, cells = 0;  ///< number of interactions with bodies, with cells
};

/// Scratch memory of a thread for the traversal.
template <class Real>
struct FmmScratch {
    static constexpr std::uint32_t kEnd = ~0u;
    struct Chain {
        std::uint32_t first = kEnd, last = kEnd;
    };
    struct FarInteraction {
        std::uint32_t family, lanes, next;
    };
    struct NearInteraction {
        BodySpan rows;
        std::uint32_t next;
    };
    std::vector<FmmPair> waiting;
    std::vector<Chain> families_of, bodies_of;  // by cell: its interaction lists
    std::vector<FmmCell> with_families, with_bodies;
    std::vector<FarInteraction> families;
    std::vector<NearInteraction> bodies;
};

// Compiled once per instruction set and dispatched at run time.

/// Upward pass (P2M, M2M): computes all fields of a family except its structure and `least`, and its moments. The
/// families of its children must be complete.
void upward_pass(const FmmView<float>& view, std::uint32_t family);
void upward_pass(const FmmView<double>& view, std::uint32_t family);

/// Mutual interactions of the bodies of two cells: well-separated cells through their expansions (M2L); others are
/// split into their children, down to leaves, which interact body by body (P2P).
FmmCounts interact(const FmmView<float>& view, FmmPair pair, FmmScratch<float>& scratch);
FmmCounts interact(const FmmView<double>& view, FmmPair pair, FmmScratch<double>& scratch);

/// The same for the root with itself, but only down to the cells marked in `blocks`: pairs of these that must be split
/// further are appended to `left`.
FmmCounts interact_down_to(const FmmView<float>& view, const std::vector<bool>& blocks, std::vector<FmmPair>& left,
                           FmmScratch<float>& scratch);
FmmCounts interact_down_to(const FmmView<double>& view, const std::vector<bool>& blocks, std::vector<FmmPair>& left,
                           FmmScratch<double>& scratch);

/// Downward pass: adds the local expansions of a family's cells to their children (L2L), or evaluates them at the
/// bodies of leaves (L2P).
void downward_pass(const FmmView<float>& view, std::uint32_t family);
void downward_pass(const FmmView<double>& view, std::uint32_t family);

}  // namespace orrery
