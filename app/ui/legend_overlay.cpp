// SPDX-License-Identifier: MIT
#include <imgui.h>

#include <string>
#include <vector>

#include "app/ui/overlays.hpp"
#include "app/ui/panels.hpp"
#include "app/ui/words.hpp"

namespace orrery {
namespace {

/// Translates "Spread: Speed, AU/d" except for the unit.
std::string in_language(const std::string& title) {
    const std::size_t unit = title.find(", ");
    return in_parts(std::string_view{title}.substr(0, unit)) + (unit == title.npos ? "" : title.substr(unit));
}

}  // namespace

void legend_overlay(const Widgets& ui, const UiState& state, const Fonts& fonts) {
    const ImVec2 screen = ImGui::GetIO().DisplaySize;
    const float gap = 14 * ui.scale(), size = fonts.text->FontSize;
    const LegendPlace place{.left = gap + sidebar_width(state, ui.scale()),
                            .right = screen.x - gap,
                            .bottom = screen.y - gap - transport_height(state, ui.scale()),
                            .above_right = state.recording.now.active ? 3 * size : 0};  // leaves room for the indicator
    Legend legend = state.picture.legend;
    if (const auto& seen = state.status.inspection; seen && seen->body)  // its ring shows the name
        std::erase_if(legend.labels, [&](const Label& label) { return label.text == seen->body->name; });
    if (legend.colors) {
        legend.colors->title = in_language(legend.colors->title);
        if (legend.colors->names)
            for (ColorTick& tick : legend.colors->ticks) tick.text = if_known(tick.text);
    }
    draw_legend(*ImGui::GetBackgroundDrawList(), fonts.text, size, legend, place);
}

}  // namespace orrery
