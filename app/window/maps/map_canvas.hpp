// SPDX-License-Identifier: MIT
#pragma once
#include <optional>
#include <string>

#include "app/ui/pen.hpp"
#include "app/ui/widgets.hpp"
#include "core/maps/picture.hpp"
#include "core/maps/picture3.hpp"

namespace orrery {

/// The block under the mouse, in either drawing, and its tile if it has one.
struct MapPick {
    std::uint32_t block;
};
/// "block (3, 5) → tile (7, 2)", "block (5, 2) → no tile: wasted".
std::string pick_text(const MapPicture& picture, MapPick pick);

/// Draws the launch grid on the left and the triangle on the right, with a line between block and tile under the mouse.
/// A block and its tile have the same colour, by the index of the block; rows with misplaced tiles are crossed out. In
/// pixels: `cell` is the side of a block, `second` the distance from the grid's left end to the triangle.
std::optional<MapPick> map_canvas(Widgets& ui, const MapPicture& picture, float cell, float second);

/// Draws the launch grid on the left, slice by slice, the tetrahedron to the right of it, layer by layer, and, if there
/// is room, the tetrahedron in space. A block and its triple have the same colour, by the index of the block; wasted
/// blocks are crossed out.
void map3_drawing(const Pen& pen, const Box& box, const Map3Picture& picture);

}  // namespace orrery
