// SPDX-License-Identifier: MIT
// The parts of the laboratory's overlay. Each fills a box; all sizes are proportional to the pen's.
#pragma once
#include "app/ui/plot.hpp"
#include "app/window/lab/lab_state.hpp"

namespace orrery {

namespace lab_colors {
constexpr ImU32 kText = IM_COL32(255, 255, 255, 255), kDim = IM_COL32(176, 184, 196, 255);
constexpr ImU32 kLine = IM_COL32(255, 255, 255, 60), kTrack = IM_COL32(255, 255, 255, 18);
constexpr ImU32 kBound = IM_COL32(255, 214, 120, 255);  // of I
constexpr ImU32 kGhost = IM_COL32(200, 206, 216, 150);  // a curve of another machine
constexpr ImU32 kGood = IM_COL32(44, 196, 148, 255);
constexpr ImU32 kWrong = IM_COL32(213, 70, 0, 255);  // marked by white text or stripes, never by hue alone
}  // namespace lab_colors

/// How a map is distinguished from the others: a colour of Okabe and Ito's palette, lightened for a dark background,
/// and a shape.
struct LabLook {
    ImU32 color;
    Marker marker;
};
/// In `roots` the root gives the colour and the form the shape; otherwise the map gives both.
LabLook lab_look(const std::string& experiment, const std::string& map, const std::string& root);

/// I of each map as a bar, with its median time; wrong maps have neither.
void lab_bars_drawing(const Pen& pen, const Box& box, const LabState& lab);
/// Preferred height of the bars, in pixels.
float lab_bars_height(const Pen& pen, const LabState& lab);
/// I over N with the papers' values at the right edge: the panel measured last, and others if there is room.
void lab_curves_drawing(const Pen& pen, const Box& box, const LabState& lab);
/// Blocks launched and wasted by each map, for the experiment `waste`: a group of bars for each N; scrolls.
void lab_waste_drawing(const Pen& pen, const Box& box, const LabState& lab);
inline constexpr const char* kLabTableWindow = "lab table";  ///< ImGui name of its rows
/// Plain rows, for experiments without times.
void lab_table_drawing(const Pen& pen, const Box& box, const LabState& lab);

}  // namespace orrery
