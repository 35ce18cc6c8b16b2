// SPDX-License-Identifier: MIT
// Draws plots with ImGui.
#pragma once
#include <imgui.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/ui/widgets.hpp"
#include "core/plot/plot.hpp"

namespace orrery {

/// Draws frame, ticks, labels, cells, lines and markers on the current window's draw list.
void draw_plot(const PlotPanel& panel, ImVec2 corner, ImVec2 size, float scale);
struct PlotEnds {
    PlotRange x, y;
};
PlotEnds plot_ends(const PlotPanel& panel);  ///< of the axes that draw_plot() chooses
/// The plot that is shown large over the picture. A click on a small plot, drawn by plot_canvas(), chooses it.
struct LargePlot {
    std::string title;               ///< of the plot; empty: none
    std::optional<PlotPanel> drawn;  ///< the same plot as its page drew it in this frame, if it did
};

/// Draws the plot across the window, in a canvas with its title and a tooltip. `height`: pixels at scale 1.
void plot_canvas(Widgets& ui, const PlotPanel& panel, float height, std::string_view tip);
/// The same of this size in pixels.
void plot_canvas(Widgets& ui, const PlotPanel& panel, ImVec2 size, std::string_view tip);
/// Instead of plot_canvas() while the large plot covers the small one.
void keep_large(Widgets& ui, const PlotPanel& panel);
/// A line that is being drawn over a plot: a box, or with Shift a lasso.
struct PlotLasso {
    std::string plot;             ///< its title; empty: none is drawn
    std::vector<PlotPoint> line;  ///< in the coordinates of bodies_within()
};
/// Call after plot_canvas(): follows the mouse over that plot, and draws the line. Returns it when the button is
/// released.
std::optional<std::vector<PlotPoint>> draw_lasso(const PlotPanel& panel, float scale, PlotLasso& lasso);
/// The names of the curves in a row, which wraps at the window's edge.
void plot_legend(const PlotPanel& panel, float scale);
void draw_marker(ImDrawList& draw, ImVec2 at, Marker marker, float radius, ImU32 color);

}  // namespace orrery
