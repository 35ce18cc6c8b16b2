// SPDX-License-Identifier: MIT
#include "core/lab/plot.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace orrery {
namespace {

// In pixels of the picture.
constexpr double kPanelWidth = 620, kPanelHeight = 420, kLeft = 70, kRight = 170, kTop = 50, kBottom = 60;
constexpr double kHead = 58, kLegendLine = 24, kLegendColumn = 270, kFont = 15;

std::string escaped(const std::string& text) {
    std::string safe;
    for (const char c : text) safe += c == '&' ? "&amp;" : c == '<' ? "&lt;" : c == '>' ? "&gt;" : std::string(1, c);
    return safe;
}

std::string words(double x, double y, std::string_view anchor, const std::string& text, double size = kFont,
                  std::string_view more = "") {
    return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\" font-size=\"{:g}\"{}>{}</text>\n", x, y,
                       anchor, size, more, escaped(text));
}

std::string line(PlotPoint from, PlotPoint to, const std::string& color, double width, const std::string& dashes = "") {
    return fmt::format(
        "<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\" stroke=\"{}\" stroke-width=\"{:g}\"{}/>\n",
        from.x, from.y, to.x, to.y, color, width,
        dashes.empty() ? "" : fmt::format(" stroke-dasharray=\"{}\"", dashes));
}

/// A round step, 1, 2 or 5 times a power of ten, that cuts `span` into about `parts`.
double round_step(double span, int parts) {
    const double rough = span / parts, power = std::pow(10, std::floor(std::log10(rough)));
    for (const double factor : {1.0, 2.0, 5.0})
        if (factor * power >= rough) return factor * power;
    return 10 * power;
}

struct Range {
    double low = std::numeric_limits<double>::infinity(), high = -low;
    void take(double value) { low = std::min(low, value), high = std::max(high, value); }
    void widen() {  // nothing was taken, or one value alone
        if (low > high) low = high = 0;
        if (low == high) high = low + 1;
    }
};

/// Where a panel's numbers lie in the picture.
class Axes {
public:
    Axes(const PlotPanel& panel, PlotPoint corner) : corner_{corner} {
        if (panel.reference) y_.take(*panel.reference);
        for (const PlotCurve& curve : panel.curves)
            for (const PlotPoint& point : curve.points) x_.take(point.x), y_.take(point.y);
        for (const PlotMark& mark : panel.marks) y_.take(mark.y);
        x_.low = std::min(0.0, x_.low);
        x_.widen(), y_.widen();
        y_step_ = round_step(std::max(y_.high - y_.low, 0.2), 7);
        x_step_ = round_step(x_.high - x_.low, 6);
        y_.low = y_step_ * std::max(std::floor(y_.low / y_step_ - 0.1), y_.low < 0 ? -HUGE_VAL : 0.0);
        y_.high = y_step_ * std::ceil(y_.high / y_step_ + 0.1);
    }

    double x(double value) const { return left() + (value - x_.low) / (x_.high - x_.low) * (right() - left()); }
    double y(double value) const { return bottom() - (value - y_.low) / (y_.high - y_.low) * (bottom() - top()); }
    double left() const { return corner_.x + kLeft; }
    double right() const { return corner_.x + kPanelWidth - kRight; }
    double top() const { return corner_.y + kTop; }
    double bottom() const { return corner_.y + kPanelHeight - kBottom; }

    std::string drawn(const PlotPanel& panel) const {
        std::string svg;
        for (double value = y_.low; value <= y_.high + y_step_ / 2; value += y_step_) {
            svg += line({left(), y(value)}, {right(), y(value)}, "#dddddd", 1);
            svg += words(left() - 8, y(value) + 5, "end", fmt::format("{:.3g}", std::abs(value) < 1e-9 ? 0 : value));
        }
        for (double value = 0; value <= x_.high; value += x_step_) {
            svg += line({x(value), bottom()}, {x(value), bottom() + 5}, "#333333", 1);
            svg += words(x(value), bottom() + 22, "middle", fmt::format("{:g}", value));
        }
        if (panel.reference) svg += line({left(), y(*panel.reference)}, {right(), y(*panel.reference)}, "#000000", 2);
        svg += fmt::format(
            "<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" fill=\"none\" stroke=\"#333333\"/>\n",
            left(), top(), right() - left(), bottom() - top());
        svg += words((left() + right()) / 2, top() - 14, "middle", panel.title, 18, " font-weight=\"bold\"");
        svg += words((left() + right()) / 2, bottom() + 46, "middle", panel.x_label);
        svg += words(left() - 52, (top() + bottom()) / 2, "middle", panel.y_label, kFont,
                     fmt::format(" transform=\"rotate(-90 {:.1f} {:.1f})\"", left() - 52, (top() + bottom()) / 2));
        return svg;
    }

private:
    PlotPoint corner_;
    Range x_, y_;
    double x_step_ = 0, y_step_ = 0;
};

std::string drawn(const PlotCurve& curve, const Axes& axes) {
    std::string path, dots;
    for (const PlotPoint& point : curve.points) {
        path += fmt::format("{:.1f},{:.1f} ", axes.x(point.x), axes.y(point.y));
        dots += fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"3\" fill=\"{}\"/>\n", axes.x(point.x),
                            axes.y(point.y), curve.color);
    }
    return fmt::format("<polyline points=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"2\"{}/>\n", path,
                       curve.color, curve.dashes.empty() ? "" : fmt::format(" stroke-dasharray=\"{}\"", curve.dashes)) +
           dots;
}

/// Words are kept apart by a line's height, in the order of their values.
std::string drawn(std::vector<PlotMark> marks, const Axes& axes) {
    std::ranges::sort(marks, std::ranges::greater{}, &PlotMark::y);
    std::string svg;
    double next = axes.top() - 4;
    for (const PlotMark& mark : marks) {
        const double y = axes.y(mark.y), text = std::max(y, next);
        next = text + 17;
        svg += line({axes.right() - 14, y}, {axes.right() + 8, y}, mark.color, 3);
        svg += line({axes.right() + 8, y}, {axes.right() + 18, text}, mark.color, 1);
        svg += words(axes.right() + 21, text + 4, "start", mark.label, 13);
    }
    return svg;
}

std::vector<const PlotCurve*> legend_of(const std::vector<PlotPanel>& panels) {
    std::vector<const PlotCurve*> legend;
    for (const PlotPanel& panel : panels)
        for (const PlotCurve& curve : panel.curves)
            if (std::ranges::none_of(legend, [&](const PlotCurve* each) { return each->label == curve.label; }))
                legend.push_back(&curve);
    return legend;
}

}  // namespace

std::string plot(const std::string& title, const std::string& note, const std::vector<PlotPanel>& panels,
                 std::size_t across) {
    const auto legend = legend_of(panels);
    across = std::min(across, panels.size());
    const double width = kPanelWidth * static_cast<double>(across);
    const auto columns = static_cast<std::size_t>(width / kLegendColumn);
    const double below =
        kHead + kPanelHeight * std::ceil(static_cast<double>(panels.size()) / static_cast<double>(across));
    const double height =
        below + kLegendLine * (std::ceil(static_cast<double>(legend.size()) / static_cast<double>(columns)) + 1);
    std::string svg = fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:g}\" height=\"{1:g}\" viewBox=\"0 0 {0:g} {1:g}\" "
        "font-family=\"DejaVu Sans, Helvetica, Arial, sans-serif\">\n<rect width=\"100%\" height=\"100%\" "
        "fill=\"#ffffff\"/>\n",
        width, height);
    svg += words(width / 2, 22, "middle", title, 17);
    svg += words(width / 2, 44, "middle", note, 15);
    for (std::size_t i = 0; i < panels.size(); ++i) {
        const Axes axes{
            panels[i],
            {kPanelWidth * static_cast<double>(i % across), kHead + kPanelHeight * static_cast<double>(i / across)}};
        svg += axes.drawn(panels[i]);
        for (const PlotCurve& curve : panels[i].curves) svg += drawn(curve, axes);
        svg += drawn(panels[i].marks, axes);
    }
    for (std::size_t i = 0; i < legend.size(); ++i) {
        const double x = 30 + kLegendColumn * static_cast<double>(i % columns);
        const double y = below + kLegendLine * (0.5 + static_cast<double>(i / columns));
        svg += line({x, y}, {x + 40, y}, legend[i]->color, 3, legend[i]->dashes);
        svg += words(x + 48, y + 5, "start", legend[i]->label);
    }
    return svg + "</svg>\n";
}

}  // namespace orrery
