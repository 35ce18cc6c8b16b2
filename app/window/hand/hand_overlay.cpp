// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <imgui.h>

#include <string>
#include <vector>

#include "app/window/overlays.hpp"

namespace orrery {
namespace {

constexpr ImU32 kHandMark = IM_COL32(130, 225, 255, 240), kShade = IM_COL32(0, 0, 0, 150),
                kHandPath = IM_COL32(130, 225, 255, 150);

ImVec2 at(const glm::dvec2& place) { return {static_cast<float>(place.x), static_cast<float>(place.y)}; }

std::string label_of(const UiState& state) {
    const auto& seen = state.status.inspection;
    if (!seen || !seen->body) return {};
    return seen->body->name.empty() ? fmt::format("{}", seen->body->id) : seen->body->name;
}

}  // namespace

void hand_overlay(const Widgets& ui, const UiState& state) {
    ImDrawList& list = *ImGui::GetBackgroundDrawList();  // over the picture, under the panels
    const float scale = ui.scale();
    if (const auto& box = state.hand.box) {
        list.AddRectFilled({box->x0, box->y0}, {box->x1, box->y1}, IM_COL32(130, 225, 255, 30));
        list.AddRect({box->x0, box->y0}, {box->x1, box->y1}, kHandMark, 0, 0, 1.5f * scale);
    }
    if (const auto& lasso = state.hand.lasso; lasso.size() > 1) {
        std::vector<ImVec2> path;
        for (const glm::dvec2& place : lasso) path.push_back(at(place));
        list.AddPolyline(path.data(), static_cast<int>(path.size()), kHandMark, ImDrawFlags_Closed, 1.5f * scale);
    }
    if (const auto& brush = state.hand.brush) {
        list.AddCircleFilled(at(brush->at), static_cast<float>(brush->radius), IM_COL32(130, 225, 255, 24), 64);
        list.AddCircle(at(brush->at), static_cast<float>(brush->radius), kHandMark, 64, 1.5f * scale);
    }
    if (const auto& aim = state.hand.aim) {
        std::vector<ImVec2> path;
        for (const glm::dvec2& place : aim->path) path.push_back(at(place));
        list.AddPolyline(path.data(), static_cast<int>(path.size()), kHandPath, 0, 1.5f * scale);
        list.AddLine(at(aim->from), at(aim->to), kHandMark, 2 * scale);
        list.AddCircleFilled(at(aim->to), 4 * scale, kHandMark);
        const std::string text = aim->moves ? fmt::format("{:.3g}", aim->size) : fmt::format("v {:.3g}", aim->size);
        list.AddText({at(aim->to).x + 9 * scale, at(aim->to).y + 5 * scale}, kHandMark, text.c_str());
    }
    if (state.hand.count() == 1 && !state.hand.markers.empty()) {
        const ImVec2 place = at(state.hand.markers.front());
        list.AddCircle(place, 11 * scale, kShade, 32, 4 * scale);
        list.AddCircle(place, 11 * scale, kHandMark, 32, 2 * scale);
        const std::string label = label_of(state);
        list.AddText({place.x + 15 * scale + 1, place.y - ImGui::GetFontSize() / 2 + 1}, kShade, label.c_str());
        list.AddText({place.x + 15 * scale, place.y - ImGui::GetFontSize() / 2}, kHandMark, label.c_str());
        return;
    }
    if (const auto& outline = state.hand.outline; !outline.empty()) {
        std::vector<ImVec2> path;
        for (const glm::dvec2& place : outline) path.push_back(at(place));
        list.AddPolyline(path.data(), static_cast<int>(path.size()), kHandMark, ImDrawFlags_Closed, 1.5f * scale);
        return;
    }
    for (const glm::dvec2& place : state.hand.markers)
        list.AddCircle(at(place), 4 * scale, kHandMark, 12, 1.2f * scale);
}

}  // namespace orrery
