// SPDX-License-Identifier: MIT
#include <imgui.h>

#include <algorithm>

#include "app/ui/panels.hpp"
#include "core/presets/presets.hpp"

namespace orrery {
namespace {

void preset_combo(Widgets& ui, const UiState& state, Wishes& wishes) {
    const auto menu = presets();
    const auto shown = std::ranges::find(menu, state.status.scene_id, &PresetEntry::id);
    const std::string label = shown != menu.end() ? std::string{shown->label} : state.status.scene_label;
    if (!ui.begin_combo("Preset", label, "Initial conditions. Keys [ and ]")) return;
    for (const PresetEntry& entry : menu)
        if (ui.choice(entry.label, entry.id == state.status.scene_id, entry.doc))
            wishes.ask(LoadScene{{.source = std::string{entry.id}, .bodies = 0, .seed = state.request.seed}});
    ui.end_combo();
}

}  // namespace

void transport_panel(Widgets& ui, const UiState& state, Wishes& wishes) {
    const float gap = ImGui::GetStyle().ItemSpacing.x;
    const float width = (ImGui::GetContentRegionAvail().x - 3 * gap) / 4;
    if (ui.button(state.paused ? "Resume###pause" : "Pause###pause", "Pauses or resumes the simulation. Key Space",
                  width))
        wishes.ask(Command::kTogglePause);
    ImGui::SameLine();
    if (ui.button("Step back", "Pauses and takes one step of −dt. Key ,", width)) wishes.ask(Command::kStepBack);
    ImGui::SameLine();
    if (ui.button("Step", "Pauses and takes one step of dt. Key .", width)) wishes.ask(Command::kStep);
    ImGui::SameLine();
    if (ui.button("Restart", "Restarts the scene. Key Backspace", width)) wishes.ask(Command::kRestart);
    preset_combo(ui, state, wishes);
}

}  // namespace orrery
