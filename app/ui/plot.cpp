// SPDX-License-Identifier: MIT
#include "app/ui/plot.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/ui/words.hpp"

namespace orrery {
namespace {

// Derived from the text colour, so that they suit both themes.
ImU32 frame_color() { return ImGui::GetColorU32(ImGuiCol_Text, 0.38f); }
ImU32 grid_color() { return ImGui::GetColorU32(ImGuiCol_Text, 0.15f); }
ImU32 fine_color() { return ImGui::GetColorU32(ImGuiCol_Text, 0.06f); }
ImU32 text_color() { return ImGui::GetColorU32(ImGuiCol_Text, 0.88f); }

struct Tick {
    double value;
    std::string text;  ///< empty: a fine line
};

std::string plain(double value) {
    if (value >= 0.099 && value < 1e4) return fmt::format("{:g}", value);
    const double decade = std::floor(std::log10(value) + 1e-9);
    return fmt::format("{:.0f}e{:.0f}", value / std::pow(10.0, decade), decade);
}

/// The nearest of 1, 2, 5 times a power of ten that is not above (not below) the value.
double round_down(double value) {
    const double decade = std::pow(10.0, std::floor(std::log10(value) + 1e-9)), digits = value / decade;
    return decade * (digits > 4.999 ? 5 : digits > 1.999 ? 2 : 1);
}
double round_up(double value) {
    const double decade = std::pow(10.0, std::floor(std::log10(value) + 1e-9)), digits = value / decade;
    return decade * (digits < 1.001 ? 1 : digits < 2.001 ? 2 : digits < 5.001 ? 5 : 10);
}

/// Linear axis: about five round numbers. Logarithmic axis: every decade, labelled; if few are visible, also 2 and 5
/// times a decade.
std::vector<Tick> ticks(const Axis& axis) {
    std::vector<Tick> all;
    if (axis.scale == Scale::kLinear) {
        const double step = round_up((axis.high - axis.low) / 6);
        const int decimals = std::clamp(static_cast<int>(-std::floor(std::log10(step) + 1e-9)), 0, 9);
        for (double i = std::ceil(axis.low / step - 1e-9); i * step <= axis.high + 1e-9 * step; ++i)
            all.push_back({i * step, fmt::format("{:.{}f}", i * step + 0.0, decimals)});  // no −0
        return all;
    }
    const double first = std::floor(std::log10(axis.low) + 1e-9), last = std::log10(axis.high);
    const bool few = last - first < 2.5;
    for (double decade = first; decade <= last + 1e-9; ++decade) {
        for (int digit = 1; digit <= 9; ++digit) {
            const double value = digit * std::pow(10.0, decade);
            if (value < axis.low * 0.999 || value > axis.high * 1.001) continue;
            const bool named = digit == 1 || (few && (digit == 2 || digit == 5));
            all.push_back({value, named ? plain(value) : std::string{}});
        }
    }
    return all;
}

float share(const Axis& axis, double value) {
    if (axis.scale == Scale::kLinear) return static_cast<float>((value - axis.low) / (axis.high - axis.low));
    return static_cast<float>(std::log(std::max(value, 1e-300) / axis.low) / std::log(axis.high / axis.low));
}

}  // namespace

Axis around(std::string label, std::span<const double> values, double low_if_none, double high_if_none) {
    double low = low_if_none, high = high_if_none;
    if (!values.empty()) low = *std::ranges::min_element(values), high = *std::ranges::max_element(values);
    low = round_down(std::max(0.95 * low, 1e-300));
    high = round_up(std::max(1.05 * high, 1e-300));
    if (high < 9 * low) high = 10 * low;
    return {std::move(label), low, high, Scale::kLogarithmic};
}

Plot::Plot(ImVec2 corner, ImVec2 size, Axis x, Axis y, float scale)
    : draw_{*ImGui::GetWindowDrawList()}, x_{std::move(x)}, y_{std::move(y)}, scale_{scale} {
    for (std::string* label : {&x_.label, &y_.label}) {  // "velocity [km/s]": all but the unit
        const std::size_t unit = std::min(label->find(" ["), label->size());
        *label = std::string{if_known(label->substr(0, unit))} + label->substr(unit);
    }
    const float line = ImGui::GetTextLineHeight();
    low_ = {corner.x + ImGui::CalcTextSize("1e-05").x + 6 * scale, corner.y + line + 4 * scale};
    high_ = {corner.x + size.x - 12 * scale, corner.y + size.y - 2 * line - 8 * scale};
    draw_axes();
}

float Plot::x_of(double value) const { return low_.x + share(x_, value) * (high_.x - low_.x); }
float Plot::y_of(double value) const { return high_.y - share(y_, value) * (high_.y - low_.y); }

void Plot::draw_axes() const {
    x_ticks();
    y_ticks();
    draw_.AddRect(low_, high_, frame_color());
    const float line = ImGui::GetTextLineHeight();
    const float width = ImGui::CalcTextSize(x_.label.c_str()).x;
    draw_.AddText({(low_.x + high_.x - width) / 2, high_.y + line + 6 * scale_}, text_color(), x_.label.c_str());
    draw_.AddText({low_.x, low_.y - line - 4 * scale_}, text_color(), y_.label.c_str());  // above its axis, upright
}

void Plot::x_ticks() const {
    float free_from = -1e9f;  // numbers must not touch
    for (const Tick& tick : ticks(x_)) {
        const float x = x_of(tick.value);
        draw_.AddLine({x, low_.y}, {x, high_.y}, tick.text.empty() ? fine_color() : grid_color());
        const float half = ImGui::CalcTextSize(tick.text.c_str()).x / 2;
        if (tick.text.empty() || x - half < free_from) continue;
        draw_.AddText({x - half, high_.y + 3 * scale_}, text_color(), tick.text.c_str());
        free_from = x + half + 8 * scale_;
    }
}

void Plot::y_ticks() const {
    const float line = ImGui::GetTextLineHeight();
    float free_below = 1e9f;
    for (const Tick& tick : ticks(y_)) {
        const float y = y_of(tick.value);
        draw_.AddLine({low_.x, y}, {high_.x, y}, tick.text.empty() ? fine_color() : grid_color());
        if (tick.text.empty() || y + line / 2 > free_below) continue;
        const float width = ImGui::CalcTextSize(tick.text.c_str()).x;
        draw_.AddText({low_.x - width - 5 * scale_, y - line / 2}, text_color(), tick.text.c_str());
        free_below = y - line / 2;
    }
}

void Plot::line(std::span<const ImVec2> values, ImU32 color) const {
    for (std::size_t i = 1; i < values.size(); ++i)
        draw_.AddLine({x_of(values[i - 1].x), y_of(values[i - 1].y)}, {x_of(values[i].x), y_of(values[i].y)}, color,
                      1.5f * scale_);
}

void Plot::cell(double left, double right, double bottom, double top, ImU32 color) const {
    draw_.AddRectFilled({x_of(left), y_of(top)}, {x_of(right), y_of(bottom)}, color);
}

void Plot::marker(double x, double y, Marker marker, ImU32 color) const {
    const ImVec2 at{std::clamp(x_of(x), low_.x, high_.x), std::clamp(y_of(y), low_.y, high_.y)};
    draw_marker(draw_, at, marker, 4 * scale_, color);
}

void Plot::draw_marker(ImDrawList& draw, ImVec2 at, Marker marker, float radius, ImU32 color) {
    switch (marker) {
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
