// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <string_view>
#include <vector>

#include "core/base/vec.hpp"

namespace orrery {

/// A timed phase of an evaluation: "sort", "build", "walk".
struct Phase {
    std::string_view name;
    double seconds;
};

/// Measurements of the last whole evaluation, beyond its time. Zero or empty where they do not apply.
struct EngineReport {
    std::vector<Phase> phases;                        ///< in order of execution
    double with_bodies = 0, with_cells = 0;           ///< mean number of interactions per body
    std::uint64_t cells = 0, leaves = 0, groups = 0;  ///< of the tree; `cells` includes the leaves
    int levels = 0;
    int tile_size = 0;           ///< ρ of engines that walk a thread map: bodies on a side of a tile
    std::string_view map, root;  ///< ids of that map and of its root; empty if it takes none
};

/// A cell of a tree, for drawing.
struct TreeCell {
    Vec3f low, high;  ///< corners of the cube
    int level;        ///< 0: the root
    std::uint32_t bodies;
    bool leaf;
};

/// Numbers by which bodies are labelled with their position in the tree.
enum class TreeLabel {
    kLeaf,   ///< one number per leaf, the same on every run
    kLevel,  ///< level of the leaf; 0: the root
};

}  // namespace orrery
