// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <cstdint>
#include <vector>

#include <glm/vec2.hpp>

namespace orrery {

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
