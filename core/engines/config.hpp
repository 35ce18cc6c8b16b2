// SPDX-License-Identifier: MIT
#pragma once
#include <string>

#include "core/base/backend.hpp"

namespace orrery {

/// Parameters of the tiled kernel (GPU Gems 3, ch. 31; p, q of its section 31.4, u its unrolling). 0: the engine
/// chooses by N.
struct TileConfig {
    int p = 0;  ///< threads of a block along the rows, and bodies of a shared-memory tile: 32 … 1024, a multiple of 32
    int u = 0;  ///< unrolling of the inner loop: 1, 2, 4, 8, 16, 32
    int q = 0;  ///< threads per body: 1, 2, 4, 8, with p·q ≤ 1024
    int k = 0;  ///< bodies per thread, held in registers: 1, 2, 4, 8
    int s = 0;  ///< column splits: blocks that share the columns of the same rows: 1 (the chapter's kernel), 2, 4 … 64
    friend bool operator==(const TileConfig&, const TileConfig&) = default;
};

/// Parameters of the tree (Barnes & Hut 1986). 0: the engine chooses.
///
/// There are two acceptance criteria (MAC). Relative force error, the default: a group of bodies accepts a cell when
/// its multipole error M·l²/d⁴ (monopole; M·l³/d⁵ quadrupole) stays below α times the smallest acceleration in the
/// group at the previous evaluation. Geometric, when θ > 0: when l/d + the offset of its centre of mass stays below θ.
struct TreeConfig {
    double accuracy = 0;  ///< requested relative RMS error of the forces, which determines α; 0: 1e-3, unless α or θ is
                          ///< given
    double alpha = 0;  ///< α of the relative criterion; 0: from `accuracy`
    double theta = 0;  ///< opening angle θ of the geometric criterion; 0: the relative criterion
    int order = 0;     ///< order of the cells' expansion, 1: monopoles, 2: quadrupoles
    int leaf = 0;      ///< maximum number of bodies in a leaf: 8, 16, 32 … 512
    int group = 0;     ///< maximum number of bodies that share a walk: 8 … 128, a multiple of 8; engines offer
                       ///< different ranges
    /// Simulations measure the error and scale the criterion to keep it at `accuracy`. False here because files of
    /// earlier versions lack the key; see default_engine_config().
    bool keep_accuracy = false;
    double cutoff = 0;  ///< `tree-locks` only; if > 0, cells beyond this distance are accepted, in place of θ
    friend bool operator==(const TreeConfig&, const TreeConfig&) = default;
};

/// An engine and its settings. A value: the panel edits it, the command line fills it, and session files store it.
struct EngineConfig {
    std::string engine = "direct";
    Backend backend = Backend::kCpu;
    Precision precision = Precision::kSingle;
    TileConfig tile;
    std::string map = "lambda", root = "sqrt";  ///< for engines that walk the half matrix; see core/maps/maps.hpp
    std::string map3 = "lambda3";               ///< for engines that walk triples of tiles; see core/maps/maps.hpp
    int tile_size = 0;                          ///< bodies on a side of their tile, ρ; 0: the engine chooses by N
    int strip = 0;  ///< `half` on cuda: tiles per block, consecutive in the grid of the map; 0: the engine chooses
    bool equal_masses = true;    ///< `half`: save two multiplications where the masses of tiles are equal
    bool deterministic = false;  ///< bitwise identical results on every run, from engines that otherwise add in any
                                 ///< order; slower
    std::string kernel;          ///< text of a kernel file (core/kernels/kernel_file.hpp); empty: none
    TreeConfig tree;
    int threads = 0;           ///< of CPU engines; 0: all cores
    bool compensated = false;  ///< compensated summation of positions and velocities; CPU only
    bool background = false;   ///< CPU threads run at low priority, so that a window stays responsive
    friend bool operator==(const EngineConfig&, const EngineConfig&) = default;
};

}  // namespace orrery
