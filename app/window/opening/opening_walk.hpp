// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <cstdint>
#include <glm/vec2.hpp>
#include <span>
#include <vector>

#include "core/engines/report.hpp"

namespace orrery {

/// A cell at which the walk of a body through the tree ends.
struct WalkedCell {
    std::uint32_t cell;  ///< index
    bool accepted;       ///< acts as one; otherwise its bodies act one by one
};

/// The walk of a body at `point`, with the geometric acceptance criterion of Barnes and Hut (1986): a cell of side l
/// whose centre is at distance d is accepted if l/d < θ, otherwise its children are walked. A leaf that is not accepted
/// is near, as is a cell whose children are not among `cells`, which hold whole levels from the root down.
std::vector<WalkedCell> opening_walk(std::span<const TreeCell> cells, Vec3f point, double theta);

/// Edge of a cell, in window coordinates from the upper left.
struct OpeningEdge {
    glm::dvec2 from{0}, to{0};
    bool accepted = false;
};

/// The acceptance criterion of a tree, shown for the picked body.
struct OpeningState {
    static constexpr double kLeastTheta = 0.1, kMostTheta = 1.5, kDefaultTheta = 0.7;

    bool on = false;
    double theta = kDefaultTheta;

    // Of this frame:
    bool has_tree = false;           ///< the engine has cells
    bool has_body = false;           ///< a body is picked
    std::vector<OpeningEdge> edges;  ///< of the cells at which the walk ends
    std::uint64_t accepted = 0;      ///< number of cells that act as one
    std::uint64_t in_accepted = 0;   ///< bodies in them
    std::uint64_t near_cells = 0;    ///< number of cells whose bodies act one by one
    std::uint64_t near_bodies = 0;   ///< bodies in them, with the picked one
};

}  // namespace orrery
