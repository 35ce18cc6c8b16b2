// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "core/bodies/color_by.hpp"
#include "core/cloud/cloud_format.hpp"

namespace orrery {

/// From where a cloud is seen, and how much of it is wanted.
struct CloudSight {
    std::array<double, 16> clip_from_world{};  ///< column by column, as OpenGL has it
    Vec3d eye{};
    double pixels_per_length = 1;  ///< at distance 1 from the eye
    bool everywhere = true;        ///< nothing is out of the picture: of panoramas
    std::uint64_t bodies = 0;      ///< that are drawn, at most; 0: no more than the root's sample
    double spacing = 1;            ///< pixels between bodies, below which nothing finer is wanted; 0: all bodies
    std::uint64_t whole = ~std::uint64_t{0};  ///< the samples of the cells shown have so many bodies, drawn or not
    ColorBy color_by = ColorBy::kSpeed;
    float mass_power = 0;  ///< a body's light is proportional to its mass to this power
    friend bool operator==(const CloudSight&, const CloudSight&) = default;
};

/// Cells that stand for all bodies in the picture: none lies in another.
struct CloudCut {
    std::vector<std::uint32_t> shown;    ///< by their places in the table, ascending
    std::vector<std::uint32_t> counts;   ///< of each: so many bodies are drawn, the first ones of its sample
    std::vector<std::uint32_t> wanted;   ///< not at hand, the most urgent first; each one's parent is at hand
    std::vector<std::uint32_t> visited;  ///< shown, and all above them
    std::uint64_t bodies = 0;            ///< drawn
    std::uint64_t stands_for = 0;        ///< bodies in the cells shown
    double most = 1;                     ///< bodies that one which is drawn stands for, at most
    double spacing = 0;  ///< the largest of √[3](volume / bodies drawn) of a shown cell that is no whole one, in pixels
    bool full = false;  ///< finer cells were left out for the number of bodies
};

/// The cut that is seen from there: from the root down, the cells with the widest spacing are divided first, as long as
/// the bodies are no more than wanted. Where that ends, bodies are equally far apart in all of the picture: of cells
/// that have replaced a wider one a part is drawn, from those that were drawn of the latter up to all, the more the
/// wider spaced it would be. What is in the picture of a cell is shown when all of it is at hand, and the cell until
/// then. `margin` widens the picture: 1 is all that is in it. The root must be at hand.
CloudCut cloud_cut(const std::vector<CloudNode>& nodes, const CloudCube& cube, const CloudSight& sight,
                   const std::function<bool(std::uint32_t)>& at_hand, double margin = 1);

}  // namespace orrery
