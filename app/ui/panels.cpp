// SPDX-License-Identifier: MIT
#include "app/ui/panels.hpp"

#include <imgui.h>

#include <algorithm>
#include <array>

namespace orrery {
namespace {

constexpr float kGap = 10, kWidth = 350;

constexpr auto kPanels = std::to_array<PanelEntry>({
    {"engine", "Forces", engine_panel},
    {"scene", "Scene", scene_panel},
    {"view", "View", view_panel},
    {"record", "Record", record_panel},
    {"energy", "Energy", energy_panel},
    {"report", "Info", report_panel},
});

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
        ImGui::Spacing();
        // Six names side by side: narrow tabs, none of them cut.
        const ImVec2 padding = ImGui::GetStyle().FramePadding, inner = ImGui::GetStyle().ItemInnerSpacing;
        ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {5 * ui.scale(), padding.y});
        ImGui::PushStyleVar(ImGuiStyleVar_ItemInnerSpacing, {3 * ui.scale(), inner.y});
        if (ImGui::BeginTabBar("tabs", ImGuiTabBarFlags_FittingPolicyResizeDown)) {
            for (const PanelEntry& panel : panels()) {
                if (!ui.begin_tab(panel.label)) continue;
                ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, padding);
                ImGui::PushStyleVar(ImGuiStyleVar_ItemInnerSpacing, inner);
                ImGui::Spacing();
                panel.draw(ui, state, wishes);
                ImGui::PopStyleVar(2);
                ui.end_tab();
            }
            ImGui::EndTabBar();
        }
        ImGui::PopStyleVar(2);
    }
    ImGui::End();
}

}  // namespace orrery
