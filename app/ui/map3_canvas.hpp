// SPDX-License-Identifier: MIT
#pragma once
#include "app/ui/pen.hpp"
#include "core/maps/picture3.hpp"

namespace orrery {

/// Draws the launch grid on the left, slice by slice, and the tetrahedron on the right, layer by layer, and
/// where there is room in space. A block and its triple have one colour, by the index of the block; wasted blocks are
/// crossed out.
void map3_drawing(const Pen& pen, const Box& box, const Map3Picture& picture);

}  // namespace orrery
