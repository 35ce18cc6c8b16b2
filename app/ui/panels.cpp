// SPDX-License-Identifier: MIT
#include "app/ui/panels.hpp"

#include <imgui.h>

#include <algorithm>
#include <array>

namespace orrery {
namespace {

constexpr float kPanelGap = 10, kWidth = 376;

constexpr auto kPanels = std::to_array<PanelEntry>({
    {"engine", "Forces", engine_panel, "How forces are computed: engine, backend, precision, and their settings"},
    {"maps", "Maps", map_panel, "How pairs of bodies are assigned to thread blocks"},
    {"scene", "Scene", scene_panel, "Bodies, softening, step length, speed, files"},
    {"view", "View", view_panel, "Picture and colours"},
    {"camera", "Camera", camera_panel, "Fit, fly, follow, and the camera path"},
    {"hand", "Body", hand_panel, "The picked body, or the bodies in a box"},
    {"record", "Record", record_panel, "Videos and screenshots"},
    {"compare", "Compare", compare_panel, "A second simulation next to the first"},
    {"energy", "Energy", energy_panel, "Conserved quantities, and the force error"},
    {"structure", "Structure", structure_panel,
     "Distribution of the bodies: radii, density, centres, closest pair, drift"},
    {"lab", "Lab", lab_panel, "The published experiments on thread maps, measured on this machine"},
    {"history", "History", history_panel, "Times and errors of the last minutes"},
    {"report", "Info", report_panel, "Start-up report, window settings, help"},
});

/// Returns the panel that is open.
const PanelEntry& tabs(Widgets& ui, const UiState& state, Wishes& wishes) {
    const PanelEntry* open = &kPanels.front();
    ImGui::Spacing();
    // Names side by side, in as many rows as they need; none of them cut, and the rows the same with a scroll bar.
    ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {4 * ui.scale(), ImGui::GetStyle().FramePadding.y});
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {3 * ui.scale(), ImGui::GetStyle().ItemSpacing.y});
    const float left = ImGui::GetCursorPosX();
    const float most = kWidth * ui.scale() - 2 * left - ImGui::GetStyle().ScrollbarSize;
    float used = 0;
    for (const PanelEntry& panel : kPanels) {
        if (panel.id == state.panel) open = &panel;
        const float wide = ImGui::CalcTextSize(panel.label.data(), panel.label.data() + panel.label.size()).x +
                           2 * ImGui::GetStyle().FramePadding.x;
        if (used > 0 && used + wide <= most)
            ImGui::SameLine();
        else
            used = 0;
        used += wide + ImGui::GetStyle().ItemSpacing.x;
        if (ui.tab(panel.label, panel.id == state.panel, panel.doc)) wishes.panel = panel.id;
    }
    ImGui::PopStyleVar(2);
    ImGui::Separator();
    return *open;
}

}  // namespace

std::span<const PanelEntry> panels() { return kPanels; }

float sidebar_width(float scale) { return (kPanelGap + kWidth) * scale; }

void sidebar(Widgets& ui, const UiState& state, Wishes& wishes) {
    const float gap = kPanelGap * ui.scale(), width = kWidth * ui.scale();
    const float height = std::max(60.0f, ImGui::GetIO().DisplaySize.y - 2 * gap);
    ImGui::SetNextWindowPos({gap, gap}, ImGuiCond_Always);
    ImGui::SetNextWindowSizeConstraints({width, 0}, {width, height});
    constexpr int flags = ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoResize |
                          ImGuiWindowFlags_AlwaysAutoResize | ImGuiWindowFlags_NoSavedSettings |
                          ImGuiWindowFlags_NoFocusOnAppearing;
    if (ImGui::Begin(kSidebar, nullptr, flags)) {
        transport_panel(ui, state, wishes);
        performance_panel(ui, state, wishes);
        const PanelEntry& open = tabs(ui, state, wishes);
        ImGui::Spacing();
        open.draw(ui, state, wishes);
    }
    ImGui::End();
}

}  // namespace orrery
