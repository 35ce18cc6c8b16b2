// SPDX-License-Identifier: MIT
#pragma once
#include "app/ui/pen.hpp"
#include "core/maps/picture3.hpp"

namespace orrery {

/// Draws the launch grid on the left, slice by slice, the tetrahedron to the right of it, layer by layer, and, if there
/// is room, the tetrahedron in space. A block and its triple have the same colour, by the index of the block; wasted
/// blocks are crossed out.
void map3_drawing(const Pen& pen, const Box& box, const Map3Picture& picture);

}  // namespace orrery
