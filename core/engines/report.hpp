// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <string_view>
#include <vector>

#include "core/base/vec.hpp"

namespace orrery {

/// A part of an evaluation: "sort", "build", "walk".
struct Phase {
    std::string_view name;
    double seconds;
};

/// What an engine measured of its last whole evaluation, beyond its time. Zero and empty where it has no such thing.
struct EngineReport {
    std::vector<Phase> phases;                        ///< in order
    double with_bodies = 0, with_cells = 0;           ///< interactions of a body on average
    std::uint64_t cells = 0, leaves = 0, groups = 0;  ///< of the tree; leaves are counted among the cells
    int levels = 0;
    int tile_size = 0;           ///< ρ of engines that walk a thread map: bodies on a side of a tile
    std::string_view map, root;  ///< ids of that map, and of its root where it takes one
};

/// A cell of a tree, for pictures.
struct TreeCell {
    Vec3f low, high;  ///< corners of the cube
    int level;        ///< 0: the root
    std::uint32_t bodies;
    bool leaf;
};

/// Where a body lies in a tree, as a number.
enum class TreeLabel {
    kLeaf,   ///< one number for all bodies of a leaf, and another for each leaf; the same on every run
    kLevel,  ///< of the leaf; 0: the root
};

}  // namespace orrery
