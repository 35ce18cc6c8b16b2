// SPDX-License-Identifier: MIT
// Drawing of a map of the 4-simplex: its layers of equal l from left to right, each a tetrahedron in space.
#pragma once
#include <string>
#include <string_view>

#include "core/lab/launch_variants.hpp"
#include "core/maps/picture.hpp"

namespace orrery {

/// The layers, with a gap between two. `block` of a face counts the blocks of all launches; for the hypercube it counts
/// the idle ones too.
struct Map4Picture {
    CubeDrawing drawing;
    std::uint32_t blocks = 0;  ///< launched
};
/// `form`: one of quadruples that is exact for `side` layers.
Map4Picture map4_picture(FormChoice form, std::uint32_t side);

/// The picture as an SVG figure on white. A cube's colour goes from blue to red with the index of its block.
std::string map4_svg(const Map4Picture& picture, std::string_view title);

}  // namespace orrery
