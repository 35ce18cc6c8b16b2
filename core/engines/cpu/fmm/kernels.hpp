// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <vector>

#include "core/engines/cpu/fmm/cells.hpp"

namespace orrery {

/// When two cells meet as a whole, each by its expansion.
struct FmmRule {
    bool relative;  ///< by error, compared with Family::least; else by θ alone
    double theta;   ///< the largest (radius + radius)/distance at which they may
};

/// Everything that the parts of an evaluation share. Borrows its arrays. Lengths and masses in the engine's units, G
/// is 1.
template <class Real>
struct FmmView {
    Family<Real>* families;
    Real *moments, *locals;  ///< by family, term and lane
    const Real* place[7];    ///< of bodies along the curve: x, y, z, mass and, or null, the low parts of x, y and z
    Real* field[4];          ///< of them, to be added to: acceleration and, where asked for, Σ m/√(r² + ε²)
    Real softening2;
    Real blur;  ///< what the positions of cells are uncertain by
    int order;
    FmmRule rule;
    bool potential;

    bool split() const { return place[4] != nullptr; }
};

/// Two different cells, or twice the same: its bodies among themselves.
struct FmmPair {
    FmmCell a, b;
};

struct FmmCounts {
    std::uint64_t bodies = 0, cells = 0;  ///< that act on a body, on a cell
};

/// What a thread needs while cells meet.
template <class Real>
struct FmmScratch {
    static constexpr std::uint32_t kEnd = ~0u;
    struct Chain {
        std::uint32_t first = kEnd, last = kEnd;
    };
    struct FamilyMet {
        std::uint32_t family, lanes, next;
    };
    struct BodiesMet {
        BodySpan rows;
        std::uint32_t next;
    };
    std::vector<FmmPair> waiting;
    std::vector<Chain> families_of, bodies_of;  // by cell: what it meets
    std::vector<FmmCell> with_families, with_bodies;
    std::vector<FamilyMet> families;
    std::vector<BodiesMet> bodies;
};

// Compiled once per instruction set and chosen at run time.

/// Fills all of a family but shapes and `least`, and its moments; those of its children's families are there.
void weigh_family(const FmmView<float>& view, std::uint32_t family);
void weigh_family(const FmmView<double>& view, std::uint32_t family);

/// Lets the bodies of two cells attract each other, mutually: cells far enough apart through their expansions, the
/// others through those of their children, leaves body by body.
FmmCounts meet(const FmmView<float>& view, FmmPair pair, FmmScratch<float>& scratch);
FmmCounts meet(const FmmView<double>& view, FmmPair pair, FmmScratch<double>& scratch);

/// The same of the root with itself, but not beyond the cells marked in `blocks`: pairs of those that have to look
/// closer are appended to `left`.
FmmCounts meet_down_to(const FmmView<float>& view, const std::vector<bool>& blocks, std::vector<FmmPair>& left,
                       FmmScratch<float>& scratch);
FmmCounts meet_down_to(const FmmView<double>& view, const std::vector<bool>& blocks, std::vector<FmmPair>& left,
                       FmmScratch<double>& scratch);

/// Hands the local expansions of a family's cells to their children, or to the bodies of leaves.
void hand_down(const FmmView<float>& view, std::uint32_t family);
void hand_down(const FmmView<double>& view, std::uint32_t family);

}  // namespace orrery
