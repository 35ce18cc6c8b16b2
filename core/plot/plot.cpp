// SPDX-License-Identifier: MIT
#include "core/plot/plot.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace orrery {
namespace {

// In pixels of the figure.
constexpr double kAxisWidth = 380, kPanelHeight = 420, kLeft = 70, kLeastRight = 170, kTop = 50, kBottom = 60;
constexpr double kHead = 58, kLegendLine = 24, kLegendColumn = 270;
constexpr double kMarkLength = 21, kMarkFont = 13, kMarkLine = 17;

std::string line(PlotPoint from, PlotPoint to, const std::string& color, double width, const std::string& dashes = "") {
    return fmt::format(
        "<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\" stroke=\"{}\" stroke-width=\"{:g}\"{}/>\n",
        from.x, from.y, to.x, to.y, color, width,
        dashes.empty() ? "" : fmt::format(" stroke-dasharray=\"{}\"", dashes));
}

/// Maps a panel's values to positions in the figure.
class Axes {
public:
    Axes(const PlotPanel& panel, PlotPoint corner) : corner_{corner}, x_{panel.log_x}, y_{panel.log_y} {
        if (panel.reference) y_.include(*panel.reference);
        for (const PlotCurve& curve : panel.curves)
            for (const PlotPoint& point : curve.points)
                if (holds(point)) x_.include(point.x), y_.include(point.y);
        for (const PlotMark& mark : panel.marks) y_.include(mark.y);
        for (const double height : panel.y_shown) y_.include(height);
        for (const double height : panel.levels) y_.include(height);
        if (!panel.log_x && panel.x_from_zero && !panel.cells) x_.include(0);
        if (panel.cells) {
            for (const double edge : panel.cells->x_edges) x_.include(edge);
            for (const double edge : panel.cells->y_edges) y_.include(edge);
        }
        if (panel.x_ends) x_ = PlotScale{*panel.x_ends, panel.log_x};
        x_.finish(6, 0), y_.finish(7, panel.cells ? 0 : 0.1);
    }

    bool holds(PlotPoint point) const { return x_.holds(point.x) && y_.holds(point.y); }
    double x(double value) const { return left() + x_.share(value) * (right() - left()); }
    double y(double value) const { return bottom() - y_.share(value) * (bottom() - top()); }
    double left() const { return corner_.x + kLeft; }
    double right() const { return left() + kAxisWidth; }
    double top() const { return corner_.y + kTop; }
    double bottom() const { return corner_.y + kPanelHeight - kBottom; }

    std::string drawn(const PlotPanel& panel) const {
        std::string svg;
        for (const auto& [value, text] : y_.ticks()) {
            svg += panel.cells ? line({left() - 5, y(value)}, {left(), y(value)}, "#333333", 1)
                               : line({left(), y(value)}, {right(), y(value)}, "#dddddd", 1);
            svg += svg::text(left() - 8, y(value) + 5, "end", text);
        }
        for (const auto& [value, text] : x_.ticks()) {
            svg += line({x(value), bottom()}, {x(value), bottom() + 5}, "#333333", 1);
            svg += svg::text(x(value), bottom() + 22, "middle", text);
        }
        for (const double level : panel.levels) svg += line({left(), y(level)}, {right(), y(level)}, "#999999", 1);
        if (panel.reference && y_.holds(*panel.reference))
            svg += line({left(), y(*panel.reference)}, {right(), y(*panel.reference)}, "#000000", 2);
        svg += fmt::format(
            "<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" fill=\"none\" stroke=\"#333333\"/>\n",
            left(), top(), right() - left(), bottom() - top());
        svg += svg::text((left() + right()) / 2, top() - 14, "middle", panel.title, 18, " font-weight=\"bold\"");
        svg += svg::text((left() + right()) / 2, bottom() + 46, "middle", panel.x_label);
        svg += svg::text(left() - 52, (top() + bottom()) / 2, "middle", panel.y_label, svg::kFont,
                         fmt::format(" transform=\"rotate(-90 {:.1f} {:.1f})\"", left() - 52, (top() + bottom()) / 2));
        return svg;
    }

private:
    PlotPoint corner_;
    PlotScale x_, y_;
};

/// Draws a line, with dots unless there are many points or the curve has no label (contours).
std::string drawn(const PlotCurve& curve, const Axes& axes) {
    constexpr std::size_t kMostDots = 60;
    std::string path, dots;
    for (const PlotPoint& point : curve.points) {
        if (!axes.holds(point)) continue;
        path += fmt::format("{:.1f},{:.1f} ", axes.x(point.x), axes.y(point.y));
        if (curve.points.size() <= kMostDots && !curve.label.empty())
            dots += fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"3\" fill=\"{}\"/>\n", axes.x(point.x),
                                axes.y(point.y), curve.color);
    }
    if (path.empty()) return {};
    return fmt::format("<polyline points=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"{}\"{}/>\n", path,
                       curve.color, curve.width,
                       curve.dashes.empty() ? "" : fmt::format(" stroke-dasharray=\"{}\"", curve.dashes)) +
           dots;
}

std::string filled(double x, double y, double width, double height, PlotColor color) {
    return fmt::format(
        "<rect x=\"{:.2f}\" y=\"{:.2f}\" width=\"{:.2f}\" height=\"{:.2f}\" fill=\"#{:02x}{:02x}{:02x}\"/>\n", x, y,
        width, height, color.red, color.green, color.blue);
}

/// Merges neighbours of one colour in a row into a rectangle; edges are drawn crisp, so that no seams show.
std::string drawn(const PlotCells& cells, const Axes& axes) {
    const CellScale scale{cells.values, cells.linear};
    const std::size_t columns = cells.x_edges.size() - 1;
    std::string svg = "<g shape-rendering=\"crispEdges\">\n";
    for (std::size_t row = 0; row + 1 < cells.y_edges.size(); ++row) {
        const double top = axes.y(cells.y_edges[row + 1]), bottom = axes.y(cells.y_edges[row]);
        for (std::size_t first = 0; first < columns;) {
            const auto color = scale.color(cells.values[row * columns + first]);
            std::size_t end = first + 1;
            while (end < columns && scale.color(cells.values[row * columns + end]) == color) ++end;
            const double left = axes.x(cells.x_edges[first]);
            if (color) svg += filled(left, top, axes.x(cells.x_edges[end]) - left, bottom - top, *color);
            first = end;
        }
    }
    svg += "</g>\n";
    constexpr int kParts = 64;
    const double left = axes.right() + 24, part = (axes.bottom() - axes.top()) / kParts;
    for (int i = 0; i < kParts; ++i)
        svg += filled(left, axes.bottom() - (i + 1) * part, 14, part + 0.5, cell_color((i + 0.5) / kParts));
    for (const double value : scale.ticks())
        svg += svg::text(left + 20, axes.bottom() - scale.share(value) * (axes.bottom() - axes.top()) + 5, "start",
                         fmt::format("{:.4g}", value), 13);
    svg +=
        svg::text(left + 96, (axes.top() + axes.bottom()) / 2, "middle", cells.label, svg::kFont,
                  fmt::format(" transform=\"rotate(-90 {:.1f} {:.1f})\"", left + 96, (axes.top() + axes.bottom()) / 2));
    return svg;
}

/// Keeps labels at least a line apart, in the order of their values, and above the end of the axis if they fit.
std::string drawn(std::vector<PlotMark> marks, const Axes& axes) {
    std::ranges::sort(marks, std::ranges::greater{}, &PlotMark::y);
    std::vector<double> lines(marks.size());
    double next = axes.top() - 4;
    for (std::size_t i = 0; i < marks.size(); ++i) {
        lines[i] = std::max(axes.y(marks[i].y), next);
        next = lines[i] + kMarkLine;
    }
    double last = std::max(axes.bottom(), axes.top() + kMarkLine * static_cast<double>(marks.size()));
    for (std::size_t i = marks.size(); i-- > 0;) {
        lines[i] = std::min(lines[i], last);
        last = lines[i] - kMarkLine;
    }
    std::string svg;
    for (std::size_t i = 0; i < marks.size(); ++i) {
        const double y = axes.y(marks[i].y);
        svg += line({axes.right() - 14, y}, {axes.right() + 8, y}, marks[i].color, 3);
        svg += line({axes.right() + 8, y}, {axes.right() + 18, lines[i]}, marks[i].color, 1);
        svg += svg::text(axes.right() + kMarkLength, lines[i] + 4, "start", marks[i].label, kMarkFont);
    }
    return svg;
}

/// Returns the width of a panel with room for the longest label at its right edge.
double panel_width(const std::vector<PlotPanel>& panels) {
    constexpr double kWidestCharacter = 0.63;  // of the font's size, on average over a label in DejaVu Sans
    double right = kLeastRight;
    for (const PlotPanel& panel : panels)
        for (const PlotMark& mark : panel.marks)
            right =
                std::max(right, kMarkLength + kMarkFont * kWidestCharacter * static_cast<double>(mark.label.size()));
    return kLeft + kAxisWidth + right;
}

std::vector<const PlotCurve*> legend_of(const std::vector<PlotPanel>& panels) {
    std::vector<const PlotCurve*> legend;
    for (const PlotPanel& panel : panels)
        for (const PlotCurve& curve : panel.curves)
            if (!curve.label.empty() &&
                std::ranges::none_of(legend, [&](const PlotCurve* each) { return each->label == curve.label; }))
                legend.push_back(&curve);
    return legend;
}

}  // namespace

std::string plot(const std::string& title, const std::string& note, const std::vector<PlotPanel>& panels,
                 std::size_t across) {
    const auto legend = legend_of(panels);
    across = std::min(across, panels.size());
    const double panel = panel_width(panels), width = panel * static_cast<double>(across);
    const auto columns = static_cast<std::size_t>(width / kLegendColumn);
    const double below =
        kHead + kPanelHeight * std::ceil(static_cast<double>(panels.size()) / static_cast<double>(across));
    const double height =
        below + kLegendLine * (std::ceil(static_cast<double>(legend.size()) / static_cast<double>(columns)) + 1);
    std::string svg = svg::begin(width, height);
    svg += svg::text(width / 2, 22, "middle", title, 17);
    svg += svg::text(width / 2, 44, "middle", note, 15);
    for (std::size_t i = 0; i < panels.size(); ++i) {
        const Axes axes{
            panels[i],
            {panel * static_cast<double>(i % across), kHead + kPanelHeight * static_cast<double>(i / across)}};
        if (panels[i].cells) svg += drawn(*panels[i].cells, axes);
        svg += axes.drawn(panels[i]);
        for (const PlotCurve& curve : panels[i].curves) svg += drawn(curve, axes);
        svg += drawn(panels[i].marks, axes);
    }
    for (std::size_t i = 0; i < legend.size(); ++i) {
        const double x = 30 + kLegendColumn * static_cast<double>(i % columns);
        const double y = below + kLegendLine * (0.5 + static_cast<double>(i / columns));
        svg += line({x, y}, {x + 40, y}, legend[i]->color, 3, legend[i]->dashes);
        svg += svg::text(x + 48, y + 5, "start", legend[i]->label);
    }
    return svg + "</svg>\n";
}

}  // namespace orrery

namespace orrery::svg {

std::string escaped(std::string_view text) {
    std::string safe;
    for (const char c : text) safe += c == '&' ? "&amp;" : c == '<' ? "&lt;" : c == '>' ? "&gt;" : std::string(1, c);
    return safe;
}

std::string begin(double width, double height) {
    return fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:g}\" height=\"{1:g}\" viewBox=\"0 0 {0:g} {1:g}\" "
        "font-family=\"DejaVu Sans, Helvetica, Arial, sans-serif\">\n<rect width=\"100%\" height=\"100%\" "
        "fill=\"#ffffff\"/>\n",
        width, height);
}

std::string text(double x, double y, std::string_view anchor, const std::string& words, double size,
                 std::string_view more) {
    return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\" font-size=\"{:g}\"{}>{}</text>\n", x, y,
                       anchor, size, more, escaped(words));
}

}  // namespace orrery::svg
