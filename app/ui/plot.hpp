// SPDX-License-Identifier: MIT
#pragma once
#include <imgui.h>

#include <span>
#include <string>
#include <vector>

#include "app/ui/widgets.hpp"

namespace orrery {

struct Axis {
    std::string label;
    double low, high;
    Scale scale = Scale::kLogarithmic;
};
/// A logarithmic axis between round numbers that enclose all values and at least a decade; the given range if there are
/// no values.
Axis around(std::string label, std::span<const double> values, double low_if_none, double high_if_none);

enum class Marker { kCircle, kSquare, kDiamond };

/// A plot on ImGui's draw list: frame, ticks, labels, and points joined by lines.
class Plot {
public:
    Plot(ImVec2 corner, ImVec2 size, Axis x, Axis y, float scale);
    void line(std::span<const ImVec2> values, ImU32 color) const;
    void cell(double left, double right, double bottom, double top, ImU32 color) const;
    void marker(double x, double y, Marker marker, ImU32 color) const;
    static void draw_marker(ImDrawList& draw, ImVec2 at, Marker marker, float radius, ImU32 color);

private:
    void draw_axes() const;
    void x_ticks() const;
    void y_ticks() const;
    float x_of(double value) const;
    float y_of(double value) const;

    ImDrawList& draw_;
    ImVec2 low_, high_;  // upper left and lower right of the frame
    Axis x_, y_;
    float scale_;
};

}  // namespace orrery
