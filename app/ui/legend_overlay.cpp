// SPDX-License-Identifier: MIT
#include <imgui.h>

#include "app/ui/color_controls.hpp"
#include "app/ui/format.hpp"
#include "app/ui/legend.hpp"
#include "app/ui/overlays.hpp"
#include "app/ui/panels.hpp"

namespace orrery {

void legend_overlay(const Widgets& ui, const UiState& state, const Fonts& fonts) {
    const ImVec2 screen = ImGui::GetIO().DisplaySize;
    const float gap = 14 * ui.scale(), size = fonts.text->FontSize;
    const float bottom = screen.y - gap - timeline_height(state, ui.scale());
    const float above = state.recording.active ? 3 * size : 0;  // there the indicator of recordings is
    if (state.view.color_bar && state.no_color.empty())
        draw_color_bar(*ImGui::GetBackgroundDrawList(), fonts.text, size,
                       color_bar(state.view, state.extent, units_of(state.status)), screen.x - gap, bottom - above);
    const float left = gap + (state.panels ? sidebar_width(ui.scale()) : 0);
    ImDrawList& draw = *ImGui::GetBackgroundDrawList();
    if (state.view.guides.scale_bar)
        draw_scale_bar(draw, fonts.text, size, state.scale_bar, state.status.length_unit, left, bottom);
    if (state.view.guides.time_stamp)
        draw_words(draw, fonts.text, size, "t = " + scene_time(state.status.time, state.status.days_per_time), left,
                   bottom - (state.view.guides.scale_bar ? 3.2f : 1.0f) * size);
}

}  // namespace orrery
