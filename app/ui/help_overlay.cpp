// SPDX-License-Identifier: MIT
#include <imgui.h>

#include <array>
#include <vector>

#include "app/ui/overlays.hpp"

namespace orrery {
namespace {

constexpr auto kMouse = std::to_array<HelpLine>({
    {"Left drag", "orbit; look around while flying"},
    {"Wheel", "zoom; change the speed while flying"},
    {"Middle or Shift drag", "pan"},
    {"W A S D Q E", "while flying: forward, left, back, right, down, up"},
    {"Click on a body", "pick it; on nothing: deselect"},
    {"Ctrl drag", "select the bodies in a box"},
    {"Right click on a slider", "reset to the default"},
    {"Ctrl + click on a slider", "type a number"},
    {"Drop a file", "load a snapshot or a scene file"},
});

void cells(const HelpLine& line) {
    ImGui::TableNextColumn();
    ImGui::TextUnformatted(line.what.data(), line.what.data() + line.what.size());
    ImGui::TableNextColumn();
    ImGui::TextDisabled("%.*s", static_cast<int>(line.does.size()), line.does.data());
}

/// Two tables side by side: the second half would not fit below the first.
void table(const std::vector<HelpLine>& all, float gap) {
    const std::size_t half = (all.size() + 1) / 2;
    for (std::size_t i = 0; i < half; ++i) {
        ImGui::TableNextRow();
        cells(all[i]);
        ImGui::TableNextColumn();
        ImGui::Dummy({gap, 0});
        if (half + i < all.size()) cells(all[half + i]);
    }
}

}  // namespace

void help_overlay(Widgets& ui, std::span<const HelpLine> keys, Wishes& wishes) {
    std::vector<HelpLine> lines{keys.begin(), keys.end()};
    lines.insert(lines.end(), kMouse.begin(), kMouse.end());
    const ImVec2 screen = ImGui::GetIO().DisplaySize;
    const float gap = 10 * ui.scale();
    ImGui::SetNextWindowPos({screen.x / 2, screen.y / 2}, ImGuiCond_Always, {0.5f, 0.5f});
    ImGui::SetNextWindowSizeConstraints({0, 0}, {screen.x - 2 * gap, screen.y - 2 * gap});
    ImGui::SetNextWindowFocus();  // above the sidebar
    constexpr int flags = ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoResize |
                          ImGuiWindowFlags_AlwaysAutoResize | ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoNav;
    ImGui::PushStyleColor(ImGuiCol_WindowBg, ImGui::GetStyleColorVec4(ImGuiCol_PopupBg));
    if (ImGui::Begin("help", nullptr, flags)) {
        if (ImGui::BeginTable("keys", 5, ImGuiTableFlags_SizingFixedFit)) {
            table(lines, gap);
            ImGui::EndTable();
        }
        ImGui::Spacing();
        if (ui.button("Close help", "Key H", ImGui::GetContentRegionAvail().x)) wishes.ask(Command::kHelp);
    }
    ImGui::End();
    ImGui::PopStyleColor();
}

}  // namespace orrery
