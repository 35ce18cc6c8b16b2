// SPDX-License-Identifier: MIT
#include "app/ui/time_track.hpp"

namespace orrery {

void draw_track(const TimeTrack& track, ImVec2 low, ImVec2 high, float scale) {
    const ImU32 all = ImGui::GetColorU32(ImGuiCol_Text, 0.16f), past = ImGui::GetColorU32(ImGuiCol_CheckMark, 0.45f);
    const ImU32 mark = ImGui::GetColorU32(ImGuiCol_Text, 0.28f), head = ImGui::GetColorU32(ImGuiCol_Text);
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const float middle = (low.y + high.y) / 2, half = 4 * scale, width = high.x - low.x;
    const float now = low.x + width * track.now;
    list.AddRectFilled({low.x, middle - half}, {high.x, middle + half}, all, half);
    list.AddRectFilled({low.x, middle - half}, {now, middle + half}, past, half);
    float last = low.x - width;
    for (const float part : track.marks) {
        const float x = low.x + width * part;
        if (x - last < 1) continue;
        list.AddLine({x, middle - half}, {x, middle + half}, mark);
        last = x;
    }
    list.AddCircleFilled({now, middle}, 6.5f * scale, head);
}

}  // namespace orrery
