// SPDX-License-Identifier: MIT
#include "app/window/maps/speed_bars.hpp"

#include <imgui.h>

#include <algorithm>

#include "app/picture/format.hpp"
#include "app/ui/widgets.hpp"

namespace orrery {
namespace {

/// The speed and the name, above a bar. An engine that does not sum all pairs shows its time, without a bar.
void bar(const TriedEngine& tried, float share, float width, float scale) {
    const ImU32 color = ImGui::GetColorU32(tried.now ? ImGuiCol_PlotHistogram : ImGuiCol_TextDisabled);
    const float left = ImGui::GetCursorPosX();
    ImGui::PushStyleColor(ImGuiCol_Text, color);
    write_text(tried.all_pairs ? short_number(tried.pairs_per_second) : milliseconds_text(tried.seconds));
    ImGui::SameLine();
    ImGui::SetCursorPosX(left + std::max(62 * scale, text_width("000.0 ms ")));
    write_text(tried.name);
    ImGui::PopStyleColor();
    if (!tried.all_pairs) return;
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float height = ImGui::GetTextLineHeight() / 3;
    ImDrawList& draw = *ImGui::GetWindowDrawList();
    draw.AddRectFilled(at, {at.x + width, at.y + height}, ImGui::GetColorU32(ImGuiCol_FrameBg));
    draw.AddRectFilled(at, {at.x + std::max(2.0f, share * width), at.y + height}, color);
    ImGui::Dummy({width, height});
}

}  // namespace

void speed_bars(std::span<const TriedEngine> tried, std::size_t most, float width, float scale) {
    double fastest = 0;
    for (const TriedEngine& each : tried)
        if (each.all_pairs) fastest = std::max(fastest, each.pairs_per_second);
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {4 * scale, 2 * scale});
    for (const TriedEngine& each : tried.last(std::min(most, tried.size())))
        bar(each, fastest > 0 ? static_cast<float>(each.pairs_per_second / fastest) : 0, width, scale);
    ImGui::PopStyleVar();
}

}  // namespace orrery
