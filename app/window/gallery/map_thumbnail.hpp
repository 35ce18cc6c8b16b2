// SPDX-License-Identifier: MIT
#pragma once
#include <imgui.h>

#include <string>

namespace orrery {

/// Draws a thread map into a box: the launch grid on the left, the triangle of tiles on the right. A block and its tile
/// have the same colour; blocks without a tile are crossed out. With `moves`, one block after the other lights up
/// together with its tile.
void draw_map_picture(ImDrawList& draw, ImVec2 low, ImVec2 high, const std::string& map, bool moves);

}  // namespace orrery
