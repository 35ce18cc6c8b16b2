// SPDX-License-Identifier: MIT
// The parts of the laboratory's overlay. Each fills a box; all sizes are proportional to the pen's.
#pragma once
#include "app/ui/plot.hpp"
#include "app/window/lab/lab_state.hpp"

namespace orrery {

namespace lab_colors {
constexpr ImU32 kText = IM_COL32(255, 255, 255, 255), kDim = IM_COL32(176, 184, 196, 255);
constexpr ImU32 kLine = IM_COL32(255, 255, 255, 60), kTrack = IM_COL32(255, 255, 255, 18);
}  // namespace lab_colors

/// I of each map as a bar, with its median time; wrong maps have neither.
void lab_bars_drawing(const Pen& pen, const Box& box, const LabState& lab);
/// Preferred height of the bars, in pixels.
float lab_bars_height(const Pen& pen, const LabState& lab);
/// I over N with the papers' values at the right edge: the panel measured last, and others if there is room.
void lab_curves_drawing(const Pen& pen, const Box& box, const LabState& lab);
/// Blocks launched and wasted by each map, for the experiment `waste`: a group of bars for each N; scrolls.
void lab_waste_drawing(const Pen& pen, const Box& box, const LabState& lab);
/// Plain rows, for experiments without times.
void lab_table_drawing(const Pen& pen, const Box& box, const LabState& lab);

}  // namespace orrery
