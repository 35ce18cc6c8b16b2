// SPDX-License-Identifier: MIT
// Draws text, shapes and plots with ImGui.
#pragma once
#include <imgui.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/ui/widgets.hpp"
#include "core/plot/plot.hpp"

namespace orrery {

enum class Align { kLeft, kCentre, kRight };

/// A part of the screen, in pixels.
struct Box {
    ImVec2 low, high;
    float width() const { return high.x - low.x; }
    float height() const { return high.y - low.y; }
};

/// Text of any size and simple shapes on the draw list of the current window. For large figures.
class Pen {
public:
    Pen(ImFont* font, float size) : draw_{ImGui::GetWindowDrawList()}, font_{font}, size_{size} {}
    Pen sized(float factor) const { return {font_, factor * size_}; }

    float size() const { return size_; }  ///< of the text, in pixels
    ImDrawList& draw() const { return *draw_; }
    float width(std::string_view text) const;
    /// The text, truncated with … to a width of at most `most`.
    std::string fitted(std::string_view text, float most) const;
    /// `at` is the upper left, upper middle or upper right.
    void text(ImVec2 at, ImU32 color, std::string_view text, Align align = Align::kLeft) const;
    /// Broken into lines of at most `most` pixels.
    void wrapped(ImVec2 at, ImU32 color, std::string_view text, float most) const {
        draw_->AddText(font_, size_, at, color, text.data(), text.data() + text.size(), most);
    }
    void dashed(ImVec2 from, ImVec2 to, ImU32 color, float thick, float dash) const;

private:
    ImDrawList* draw_;
    ImFont* font_;
    float size_;
};

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
