// SPDX-License-Identifier: MIT
#include "app/ui/panels.hpp"

#include <imgui.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

namespace orrery {
namespace {

constexpr float kGap = 10, kWidth = 376;

constexpr auto kPanels = std::to_array<PanelEntry>({
    {"engine", "Forces", engine_panel},
    {"maps", "Maps", map_panel},
    {"scene", "Scene", scene_panel},
    {"view", "View", view_panel},
    {"record", "Record", record_panel},
    {"energy", "Energy", energy_panel},
    {"lab", "Lab", lab_panel},
    {"report", "Info", report_panel},
});

/// Returns the panel that is open.
const PanelEntry& tabs(Widgets& ui, const UiState& state, Wishes& wishes) {
    const PanelEntry* open = &kPanels.front();
    ImGui::Spacing();
    // All names side by side: narrow tabs, none of them cut.
    float free = ImGui::GetContentRegionAvail().x;
    for (const PanelEntry& panel : kPanels) free -= ImGui::CalcTextSize(std::string{panel.label}.c_str()).x;
    const float part = std::floor(free / (3 * static_cast<float>(kPanels.size())));  // two of padding, one between
    const ImVec2 most{4 * ui.scale(), 3 * ui.scale()};
    ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {std::clamp(part, 1.0f, most.x), ImGui::GetStyle().FramePadding.y});
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {std::clamp(part, 1.0f, most.y), ImGui::GetStyle().ItemSpacing.y});
    for (const PanelEntry& panel : kPanels) {
        if (panel.id == state.panel) open = &panel;
        if (&panel != &kPanels.front()) ImGui::SameLine();
        if (ui.tab(panel.label, panel.id == state.panel)) wishes.panel = panel.id;
    }
    ImGui::PopStyleVar(2);
    ImGui::Separator();
    return *open;
}

}  // namespace

std::span<const PanelEntry> panels() { return kPanels; }

float sidebar_width(float scale) { return (kGap + kWidth) * scale; }

void sidebar(Widgets& ui, const UiState& state, Wishes& wishes) {
    const float gap = kGap * ui.scale(), width = kWidth * ui.scale();
    const float height = std::max(60.0f, ImGui::GetIO().DisplaySize.y - 2 * gap);
    ImGui::SetNextWindowPos({gap, gap}, ImGuiCond_Always);
    ImGui::SetNextWindowSizeConstraints({width, 0}, {width, height});
    constexpr int flags = ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoResize |
                          ImGuiWindowFlags_AlwaysAutoResize | ImGuiWindowFlags_NoSavedSettings |
                          ImGuiWindowFlags_NoFocusOnAppearing | ImGuiWindowFlags_NoNav;
    if (ImGui::Begin("sidebar", nullptr, flags)) {
        transport_panel(ui, state, wishes);
        performance_panel(ui, state, wishes);
        const PanelEntry& open = tabs(ui, state, wishes);
        ImGui::Spacing();
        open.draw(ui, state, wishes);
    }
    ImGui::End();
}

}  // namespace orrery
