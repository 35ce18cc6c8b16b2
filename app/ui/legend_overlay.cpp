// SPDX-License-Identifier: MIT
#include <imgui.h>

#include "app/ui/overlays.hpp"
#include "app/ui/panels.hpp"

namespace orrery {

void legend_overlay(const Widgets& ui, const UiState& state, const Fonts& fonts) {
    const ImVec2 screen = ImGui::GetIO().DisplaySize;
    const float gap = 14 * ui.scale(), size = fonts.text->FontSize;
    const LegendPlace place{.left = gap + (state.panels ? sidebar_width(ui.scale()) : 0),
                            .right = screen.x - gap,
                            .bottom = screen.y - gap - timeline_height(state, ui.scale()),
                            .above_right = state.recording.active ? 3 * size : 0};  // there its indicator is
    draw_legend(*ImGui::GetBackgroundDrawList(), fonts.text, size, state.legend, place);
}

}  // namespace orrery
