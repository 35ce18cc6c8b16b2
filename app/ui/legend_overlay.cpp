// SPDX-License-Identifier: MIT
#include <imgui.h>

#include <vector>

#include "app/ui/overlays.hpp"
#include "app/ui/panels.hpp"

namespace orrery {

void legend_overlay(const Widgets& ui, const UiState& state, const Fonts& fonts) {
    const ImVec2 screen = ImGui::GetIO().DisplaySize;
    const float gap = 14 * ui.scale(), size = fonts.text->FontSize;
    const LegendPlace place{.left = gap + sidebar_width(state, ui.scale()),
                            .right = screen.x - gap,
                            .bottom = screen.y - gap - transport_height(state, ui.scale()),
                            .above_right = state.recording.active ? 3 * size : 0};  // there its indicator is
    Legend legend = state.legend;
    if (const auto& seen = state.status.inspection; seen && seen->body)  // its name stands at its ring
        std::erase_if(legend.labels, [&](const Label& label) { return label.text == seen->body->name; });
    draw_legend(*ImGui::GetBackgroundDrawList(), fonts.text, size, legend, place);
}

}  // namespace orrery
