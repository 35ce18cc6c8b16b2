// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "core/bodies/frame.hpp"
#include "core/cloud/cloud_file.hpp"

namespace orrery {

/// The view of a cloud, and limits on what is drawn of it.
struct ViewRegion {
    std::array<double, 16> clip_from_world{};  ///< column-major, as in OpenGL
    Vec3d eye{};
    double pixels_per_length = 1;             ///< at distance 1 from the eye
    bool everywhere = true;                   ///< nothing lies outside the frame: for panoramas
    std::uint64_t bodies = 0;                 ///< most bodies drawn; 0: no more than the root's sample
    double spacing = 1;                       ///< pixels between bodies at which refinement stops; 0: draw all bodies
    std::uint64_t whole = ~std::uint64_t{0};  ///< most bodies in the samples of the shown cells, drawn or not
    ColorBy color_by = ColorBy::kSpeed;
    std::string color_field;  ///< with kField; empty: the first one
    float mass_power = 0;     ///< a body's light is proportional to its mass to this power
    friend bool operator==(const ViewRegion&, const ViewRegion&) = default;
};

/// Disjoint cells that together represent all bodies in the frame.
struct CloudCut {
    std::vector<std::uint32_t> shown;    ///< indices in the table, ascending
    std::vector<std::uint32_t> counts;   ///< for each, the number of bodies drawn: the first ones of its sample
    std::vector<std::uint32_t> wanted;   ///< cells to be read, the most urgent first; the parent of each has been read
    std::vector<std::uint32_t> visited;  ///< shown cells and all their ancestors
    std::uint64_t bodies = 0;            ///< drawn
    std::uint64_t stands_for = 0;        ///< bodies in the shown cells
    double most = 1;                     ///< most bodies represented by one that is drawn
    double spacing = 0;                  ///< largest ∛(volume / bodies drawn) of the cells not drawn whole, in pixels
    bool full = false;                   ///< refinement stopped at the limit on bodies
};

/// Selects the cells to draw. From the root down, the cell with the widest spacing is divided first, as long as the
/// number of bodies stays within the limit. If the limit ends this, spacing is made even over the frame: of the
/// children of a divided cell only a share of their bodies is drawn, between the parent's sample and all, growing with
/// the parent's spacing. A cell is replaced by its children once all of those in the frame have been read (`at_hand`).
/// `margin` widens the frame; 1 leaves it as it is. The root must have been read.
CloudCut cloud_cut(const std::vector<CloudNode>& nodes, const CloudCube& cube, const ViewRegion& region,
                   const std::function<bool(std::uint32_t)>& at_hand, double margin = 1);

}  // namespace orrery
