// SPDX-License-Identifier: MIT
#pragma once
#include <string>

#include "core/base/backend.hpp"
#include "core/base/precision.hpp"

namespace orrery {

/// Knobs of the tiled kernel (GPU Gems 3, ch. 31; p, q of its section 31.4, u its unrolling). 0: the engine chooses by
/// N.
struct TileConfig {
    int p = 0;  ///< threads of a block along the rows, and bodies of a shared-memory tile: 32 … 1024, a multiple of 32
    int u = 0;  ///< unrolling of the inner loop: 1, 2, 4, 8, 16, 32
    int q = 0;  ///< threads per body: 1, 2, 4, 8, with p·q ≤ 1024
    int k = 0;  ///< bodies per thread, held in registers: 1, 2, 4, 8
    int s = 0;  ///< column splits: blocks that share the columns of the same rows: 1 (the chapter's kernel), 2, 4 … 64
    friend bool operator==(const TileConfig&, const TileConfig&) = default;
};

/// Knobs of the tree (Barnes & Hut 1986). 0: the engine chooses.
///
/// A cell is opened by one of two rules. By relative force error, the default: a group of bodies takes a cell whole
/// when its multipole error M·l²/d⁴ (monopole; M·l³/d⁵ quadrupole) stays below α times the smallest acceleration in the
/// group at the evaluation before. By geometry, when θ > 0: when l/d + the offset of its centre of mass stays below θ.
struct TreeConfig {
    double accuracy = 0;  ///< relative RMS error of the forces wanted, which chooses α; 0: 1e-3, unless α or θ is given
    double alpha = 0;     ///< α of the relative rule; 0: from `accuracy`
    double theta = 0;     ///< opening angle θ of the geometric rule; 0: the relative rule
    int order = 0;        ///< 1: monopoles, 2: quadrupoles
    int leaf = 0;         ///< most bodies of a leaf: 8, 16, 32 … 512
    int group = 0;        ///< most bodies that share a walk: 8 … 128, a multiple of 8; what an engine offers differs
    /// Simulations measure the error and scale the rule so that it stays at `accuracy`. Off here, because files of
    /// versions that did not do so lack the key; see usual_engine().
    bool keep_accuracy = false;
    double cutoff = 0;  ///< of `tree-locks`, when > 0: distance from which cells are taken whole, in place of θ
    friend bool operator==(const TreeConfig&, const TreeConfig&) = default;
};

/// Which engine, and how. A value: what the panel edits, the command line fills and a session file records.
struct EngineConfig {
    std::string engine = "direct";
    Backend backend = Backend::kCpu;
    Precision precision = Precision::kSingle;
    TileConfig tile;
    std::string map = "lambda", root = "sqrt";  ///< of engines that walk the half matrix; see core/maps/maps.hpp
    std::string map3 = "lambda3";               ///< of engines that walk triples of tiles; see core/maps/maps3.hpp
    int tile_size = 0;                          ///< bodies on a side of their tile, ρ; 0: the engine chooses by N
    bool equal_masses = true;    ///< `half`: save two multiplications where the masses of tiles are equal
    bool deterministic = false;  ///< same bits on every run, from engines that else add in any order; slower
    TreeConfig tree;
    int threads = 0;           ///< of CPU engines; 0: all cores
    bool compensated = false;  ///< places and velocities keep what rounding takes from their sums; on the CPU alone
    bool background = false;   ///< CPU threads give way to everything else, so that a window stays smooth
    friend bool operator==(const EngineConfig&, const EngineConfig&) = default;
};

}  // namespace orrery
