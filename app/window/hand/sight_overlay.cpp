// SPDX-License-Identifier: MIT
#include <imgui.h>

#include <cmath>

#include "app/window/overlays.hpp"
#include "core/plot/scales.hpp"

namespace orrery {
namespace {

constexpr ImU32 kVelocity = IM_COL32(86, 180, 233, 235), kAcceleration = IM_COL32(230, 159, 0, 235),
                kOrbit = IM_COL32(130, 225, 255, 130);

void arrow(ImDrawList& draw, const SightArrow& one, float scale) {
    const ImVec2 from{static_cast<float>(one.from.x), static_cast<float>(one.from.y)},
        to{static_cast<float>(one.to.x), static_cast<float>(one.to.y)};
    const float x = to.x - from.x, y = to.y - from.y, long_ = std::hypot(x, y), head = 7 * scale;
    if (long_ < 2 * scale) return;
    const ImU32 color = one.acceleration ? kAcceleration : kVelocity;
    const ImVec2 along{x / long_ * head, y / long_ * head};
    draw.AddLine(from, to, color, 1.6f * scale);
    draw.AddTriangleFilled(to, {to.x - along.x - along.y / 2, to.y - along.y + along.x / 2},
                           {to.x - along.x + along.y / 2, to.y - along.y - along.x / 2}, color);
}

void polyline(ImDrawList& draw, const std::vector<glm::dvec2>& points, ImU32 color, float width) {
    std::vector<ImVec2> path;
    for (const glm::dvec2& at : points) path.push_back({static_cast<float>(at.x), static_cast<float>(at.y)});
    draw.AddPolyline(path.data(), static_cast<int>(path.size()), color, 0, width);
}

}  // namespace

void sight_overlay(const Widgets& ui, const UiState& state) {
    ImDrawList& draw = *ImGui::GetBackgroundDrawList();
    for (const SightContour& contour : state.sight.contours) {
        const PlotColor color = cell_color(0.35 + 0.65 * static_cast<double>(contour.depth));
        polyline(draw, contour.points, IM_COL32(color.red, color.green, color.blue, 170), 1.2f * ui.scale());
    }
    for (const auto& piece : state.sight.orbit) polyline(draw, piece, kOrbit, 1.4f * ui.scale());
    for (const SightArrow& one : state.sight.arrows) arrow(draw, one, ui.scale());
}

}  // namespace orrery
