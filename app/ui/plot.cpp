// SPDX-License-Identifier: MIT
#include "app/ui/plot.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "app/ui/style.hpp"
#include "app/ui/widgets.hpp"
#include "app/ui/words.hpp"

namespace orrery {

float Pen::width(std::string_view text) const {
    return font_->CalcTextSizeA(size_, 1e9f, 0, text.data(), text.data() + text.size()).x;
}

std::string Pen::fitted(std::string_view text, float most) const {
    std::string cut{text};
    if (width(text) <= most) return cut;
    while (!cut.empty() && width(cut + "…") > most) {
        while (!cut.empty() && (static_cast<unsigned char>(cut.back()) & 0xc0u) == 0x80u) cut.pop_back();  // UTF-8
        if (!cut.empty()) cut.pop_back();
    }
    return cut + "…";
}

void Pen::text(ImVec2 at, ImU32 color, std::string_view text, Align align) const {
    if (align != Align::kLeft) at.x -= width(text) * (align == Align::kCentre ? 0.5f : 1.0f);
    draw_->AddText(font_, size_, {std::round(at.x), std::round(at.y)}, color, text.data(), text.data() + text.size());
}

void Pen::dashed(ImVec2 from, ImVec2 to, ImU32 color, float thick, float dash) const {
    const float dx = to.x - from.x, dy = to.y - from.y, length = std::hypot(dx, dy);
    for (float at = 0; at < length; at += 2 * dash) {
        const float end = std::min(length, at + dash);
        draw_->AddLine({from.x + dx * at / length, from.y + dy * at / length},
                       {from.x + dx * end / length, from.y + dy * end / length}, color, thick);
    }
}

namespace {

// Derived from the text colour, so that they suit both themes.
ImU32 frame_color() { return ImGui::GetColorU32(ImGuiCol_Text, 0.38f); }
ImU32 level_color() { return ImGui::GetColorU32(ImGuiCol_Text, 0.45f); }
ImU32 grid_color() { return ImGui::GetColorU32(ImGuiCol_Text, 0.15f); }
ImU32 fine_color() { return ImGui::GetColorU32(ImGuiCol_Text, 0.06f); }
ImU32 text_color() { return ImGui::GetColorU32(ImGuiCol_Text, 0.88f); }

/// The colour of a curve: grey if it states none.
ImU32 curve_color(const PlotCurve& curve) {
    const std::string& text = curve.bright.empty() ? curve.color : curve.bright;
    if (text.empty()) return level_color();
    unsigned rgb = 0;
    std::from_chars(text.data() + 1, text.data() + text.size(), rgb, 16);
    if (text.size() == 7) rgb = rgb << 8 | 0xff;
    const ImU32 color = IM_COL32(rgb >> 24 & 255, rgb >> 16 & 255, rgb >> 8 & 255, rgb & 255);
    constexpr double kVisible = 3;  // WCAG 2.1, 1.4.11
    const ImVec4 ground = blended(ImGui::GetStyleColorVec4(ImGuiCol_WindowBg), {0, 0, 0, 1});
    return ImGui::ColorConvertFloat4ToU32(visible_on(ground, ImGui::ColorConvertU32ToFloat4(color), kVisible));
}

/// "velocity [km/s]": all but the unit is translated.
std::string axis_label(const std::string& label) {
    const std::size_t unit = std::min(label.find(" ["), label.size());
    return std::string{if_known(label.substr(0, unit))} + label.substr(unit);
}

/// Ends of an axis: a logarithmic one ends at round numbers, a linear one at `room` of the range beyond the values.
PlotRange ends_of(const PlotScale& values, bool logarithmic, double room, PlotRange if_empty) {
    if (values.empty() && !logarithmic) return {0, 1};
    const auto [low, high] = values.empty() ? if_empty : values.range();
    if (logarithmic) return round_decades({0.95 * low, 1.05 * high});
    const double margin = high > low ? room * (high - low) : 0.5 * std::max(std::abs(high), 1e-9);
    return {low - margin, high + margin};
}

bool drawn(PlotPoint point, const PlotPanel& panel) {
    return std::isfinite(point.x) && std::isfinite(point.y) && (point.x > 0 || !panel.log_x) &&
           (point.y > 0 || !panel.log_y);
}

/// A panel in a rectangle of the current window.
class Drawing {
public:
    Drawing(const PlotPanel& panel, ImVec2 corner, ImVec2 size, float scale)
        : draw_{*ImGui::GetWindowDrawList()},
          panel_{panel},
          x_{plot_ends(panel).x, panel.log_x},
          y_{plot_ends(panel).y, panel.log_y},
          right_{corner.x + size.x},
          scale_{scale} {
        const float line = ImGui::GetTextLineHeight();
        low_ = {corner.x + ImGui::CalcTextSize("1e-05").x + 6 * scale, corner.y + line + 4 * scale};
        high_ = {corner.x + size.x - 12 * scale, corner.y + size.y - 2 * line - 8 * scale};
    }

    /// The point in coordinates of the axes; on a logarithmic axis the logarithm to base 10.
    PlotPoint point_at(ImVec2 at) const {
        const auto along = [](double share, PlotRange ends, bool logarithmic) {
            const double low = logarithmic ? std::log10(ends.low) : ends.low;
            return low + share * ((logarithmic ? std::log10(ends.high) : ends.high) - low);
        };
        return {along((at.x - low_.x) / (high_.x - low_.x), x_.range(), panel_.log_x),
                along((high_.y - at.y) / (high_.y - low_.y), y_.range(), panel_.log_y)};
    }
    ImVec2 place_of(PlotPoint point) const {
        const auto value = [](double on_axis, bool logarithmic) {
            return logarithmic ? std::pow(10, on_axis) : on_axis;
        };
        return {x_of(value(point.x, panel_.log_x)), y_of(value(point.y, panel_.log_y))};
    }

    void draw() const {
        axes();
        if (panel_.cells) cells(*panel_.cells);
        for (const double level : panel_.levels) across(level);
        if (panel_.reference) across(*panel_.reference);
        for (const PlotCurve& curve : panel_.curves) this->curve(curve);
    }

private:
    float x_of(double value) const { return low_.x + static_cast<float>(x_.share(value)) * (high_.x - low_.x); }
    float y_of(double value) const { return high_.y - static_cast<float>(y_.share(value)) * (high_.y - low_.y); }

    void axes() const {
        constexpr int kParts = 6;
        const float line = ImGui::GetTextLineHeight();
        float free_from = -1e9f, free_below = 1e9f;  // numbers must not touch
        for (const auto& [value, text] : x_.fine_ticks(kParts)) {
            const float x = x_of(value), half = ImGui::CalcTextSize(text.c_str()).x / 2;
            draw_.AddLine({x, low_.y}, {x, high_.y}, text.empty() ? fine_color() : grid_color());
            if (text.empty() || x - half < free_from) continue;
            draw_.AddText({std::min(x - half, right_ - 2 * half), high_.y + 3 * scale_}, text_color(), text.c_str());
            free_from = x + half + 8 * scale_;
        }
        for (const auto& [value, text] : y_.fine_ticks(kParts)) {
            const float y = y_of(value);
            draw_.AddLine({low_.x, y}, {high_.x, y}, text.empty() ? fine_color() : grid_color());
            if (text.empty() || y + line / 2 > free_below) continue;
            draw_.AddText({low_.x - ImGui::CalcTextSize(text.c_str()).x - 5 * scale_, y - line / 2}, text_color(),
                          text.c_str());
            free_below = y - line / 2;
        }
        draw_.AddRect(low_, high_, frame_color());
        const std::string x_label = axis_label(panel_.x_label), y_label = axis_label(panel_.y_label);
        const float width = ImGui::CalcTextSize(x_label.c_str()).x;
        draw_.AddText({(low_.x + high_.x - width) / 2, high_.y + line + 6 * scale_}, text_color(), x_label.c_str());
        draw_.AddText({low_.x, low_.y - line - 4 * scale_}, text_color(), y_label.c_str());  // above its axis, upright
    }

    /// Neighbouring cells of a row that look the same are one rectangle.
    void cells(const PlotCells& cells) const {
        const CellScale colors{cells.values, cells.linear};
        const std::size_t columns = cells.x_edges.size() - 1;
        const auto ink_of = [&](std::size_t i) -> ImU32 {
            const auto color = colors.color(cells.values[i]);
            const int opacity = cells.lit.empty() || cells.lit[i] ? 255 : 60;
            return color ? IM_COL32(color->red, color->green, color->blue, opacity) : 0;
        };
        for (std::size_t row = 0; row + 1 < cells.y_edges.size(); ++row)
            for (std::size_t first = 0, end = 0; first < columns; first = end) {
                const ImU32 ink = ink_of(row * columns + first);
                for (end = first + 1; end < columns && ink_of(row * columns + end) == ink;) ++end;
                if (ink != 0)
                    draw_.AddRectFilled({x_of(cells.x_edges[first]), y_of(cells.y_edges[row + 1])},
                                        {x_of(cells.x_edges[end]), y_of(cells.y_edges[row])}, ink);
            }
    }

    void across(double level) const {
        if (y_.holds(level)) draw_.AddLine({low_.x, y_of(level)}, {high_.x, y_of(level)}, level_color(), 1.5f * scale_);
    }

    /// The line is dimmer than the markers on it. A line of one point is a dot.
    void curve(const PlotCurve& curve) const {
        std::vector<ImVec2> points;
        for (const PlotPoint& point : curve.points)
            if (drawn(point, panel_)) points.emplace_back(x_of(point.x), y_of(point.y));
        const ImU32 color = curve_color(curve), dim = (color & 0xffffffu) | 0x90000000u;
        const bool marked = curve.marker != Marker::kNone;
        for (std::size_t i = 1; curve.joined && i < points.size(); ++i)
            draw_.AddLine(points[i - 1], points[i], marked ? dim : color, 1.5f * scale_);
        if (!marked && points.size() != 1) return;
        for (const ImVec2 point : points)
            draw_marker(draw_, {std::clamp(point.x, low_.x, high_.x), std::clamp(point.y, low_.y, high_.y)},
                        marked ? curve.marker : Marker::kCircle, 4 * scale_, color);
    }

    ImDrawList& draw_;
    const PlotPanel& panel_;
    ImVec2 low_, high_;  // upper left and lower right of the frame
    PlotScale x_, y_;
    float right_;  // edge of the drawing
    float scale_;
};

constexpr float kUnmoved = 4;  // pixels at scale 1 that a click may move

bool mouse_has_moved() { return ImGui::GetIO().MouseDragMaxDistanceSqr[ImGuiMouseButton_Left] > kUnmoved * kUnmoved; }

}  // namespace

PlotEnds plot_ends(const PlotPanel& panel) {
    if (const auto& cells = panel.cells)
        return {{cells->x_edges.front(), cells->x_edges.back()}, {cells->y_edges.front(), cells->y_edges.back()}};
    PlotScale x{panel.log_x}, y{panel.log_y};
    for (const PlotCurve& curve : panel.curves)
        for (const PlotPoint& point : curve.points)
            if (drawn(point, panel)) x.include(point.x), y.include(point.y);
    for (const double height : panel.y_shown) y.include(height);
    for (const double height : panel.levels) y.include(height);
    if (panel.reference) y.include(*panel.reference);
    return {panel.x_ends ? *panel.x_ends : ends_of(x, panel.log_x, 0, {0.1, 1}),
            ends_of(y, panel.log_y, 0.05, panel.y_if_empty)};
}

void draw_plot(const PlotPanel& panel, ImVec2 corner, ImVec2 size, float scale) {
    Drawing{panel, corner, size, scale}.draw();
}

void plot_canvas(Widgets& ui, const PlotPanel& panel, float height, std::string_view tip) {
    plot_canvas(ui, panel, ImVec2{ImGui::GetContentRegionAvail().x, ui.plot_height(height)}, tip);
}

void plot_canvas(Widgets& ui, const PlotPanel& panel, ImVec2 size, std::string_view tip) {
    LargePlot* large = ui.large_plot();
    ui.canvas(panel.title, size.x, size.y,
              large ? translated(fmt::format("{}. {}", tr(tip), tr("A click shows it large over the picture"))) : tip,
              large ? CanvasUse::kButton : CanvasUse::kMouse);
    draw_plot(panel, ImGui::GetItemRectMin(), size, ui.scale());
    if (!large) return;
    if (ImGui::IsItemDeactivated() && ImGui::IsItemHovered() && !mouse_has_moved())
        large->title = large->title == panel.title ? std::string{} : panel.title;
    keep_large(ui, panel);
}

std::optional<std::vector<PlotPoint>> draw_lasso(const PlotPanel& panel, float scale, PlotLasso& lasso) {
    const ImVec2 corner = ImGui::GetItemRectMin(), size = ImGui::GetItemRectSize();
    const ImGuiIO& io = ImGui::GetIO();
    const Drawing drawing{panel, corner, size, scale};
    const bool begins = ImGui::IsItemActive() && mouse_has_moved() && lasso.plot != panel.title;
    if (begins) lasso = {panel.title, {drawing.point_at(io.MouseClickedPos[ImGuiMouseButton_Left])}};
    if (lasso.plot != panel.title) return std::nullopt;
    const bool ends = ImGui::IsItemDeactivated();
    if (!ends && !ImGui::IsItemActive()) return lasso = {}, std::nullopt;  // its page was closed meanwhile
    const PlotPoint at = drawing.point_at(io.MousePos), from = lasso.line.front();
    if (io.KeyShift)
        lasso.line.push_back(at);
    else
        lasso.line = {from, {at.x, from.y}, at, {from.x, at.y}};
    std::vector<ImVec2> places;
    for (const PlotPoint& point : lasso.line) places.push_back(drawing.place_of(point));
    ImGui::GetWindowDrawList()->AddPolyline(places.data(), static_cast<int>(places.size()), text_color(),
                                            ImDrawFlags_Closed, 1.5f * scale);
    if (!ends) return std::nullopt;
    return std::exchange(lasso, {}).line;
}

void keep_large(Widgets& ui, const PlotPanel& panel) {
    LargePlot* large = ui.large_plot();
    if (large && large->title == panel.title) large->drawn = panel;
}

void plot_legend(const PlotPanel& panel, float scale) {
    const float line = ImGui::GetTextLineHeight(), mark = 15 * scale;
    bool first = true;
    for (const PlotCurve& curve : panel.curves) {
        if (curve.label.empty()) continue;
        const std::string name{if_known(curve.name.empty() ? curve.label : curve.name)};
        if (!std::exchange(first, false)) {
            ImGui::SameLine(0, 9 * scale);
            if (ImGui::GetContentRegionAvail().x < mark + ImGui::CalcTextSize(name.c_str()).x) ImGui::NewLine();
        }
        const ImVec2 at = ImGui::GetCursorScreenPos(), middle{at.x + 6 * scale, at.y + line / 2};
        ImDrawList& draw = *ImGui::GetWindowDrawList();
        if (curve.marker == Marker::kNone)
            draw.AddLine({at.x, middle.y}, {at.x + 12 * scale, middle.y}, curve_color(curve), 2 * scale);
        else
            draw_marker(draw, middle, curve.marker, 4 * scale, curve_color(curve));
        ImGui::SetCursorPosX(ImGui::GetCursorPosX() + mark);
        ImGui::TextUnformatted(name.c_str());
    }
}

void draw_marker(ImDrawList& draw, ImVec2 at, Marker marker, float radius, ImU32 color) {
    switch (marker) {
        case Marker::kNone:
            return;
        case Marker::kCircle:
            return draw.AddCircleFilled(at, radius, color);
        case Marker::kSquare:
            return draw.AddRectFilled({at.x - 0.88f * radius, at.y - 0.88f * radius},
                                      {at.x + 0.88f * radius, at.y + 0.88f * radius}, color);
        case Marker::kDiamond:
            radius *= 1.4f;
            return draw.AddQuad({at.x - radius, at.y}, {at.x, at.y - radius}, {at.x + radius, at.y},
                                {at.x, at.y + radius}, color, 0.5f * radius);
    }
}

}  // namespace orrery
