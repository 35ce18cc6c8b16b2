// SPDX-License-Identifier: MIT
#include <imgui.h>

#include <algorithm>
#include <array>
#include <vector>

#include "app/ui/overlays.hpp"
#include "app/ui/words.hpp"

namespace orrery {
namespace {

constexpr std::string_view kFlightKeys = "W A S D Q E";
constexpr auto kMouse = std::to_array<HelpLine>({
    {"Left drag", "orbit; look around while flying"},
    {"Wheel", "zoom to the mouse; change the speed while flying"},
    {"Middle or Shift drag", "pan"},
    {"W A S D Q E", "while flying: forward, left, back, right, down, up"},
    {"Click on a body", "pick it, with Ctrl one more; on nothing: deselect"},
    {"Double click on a body", "fly to it and follow it"},
    {"Ctrl drag", "select the bodies in a box"},
    {"Ctrl Shift drag", "select the bodies in a lasso"},
    {"Right click on a slider", "reset to the default"},
    {"Ctrl + click on a slider", "type a number"},
    {"Drop a file", "load a snapshot or a scene file; several are a series"},
});

void cells(const HelpLine& line) {
    ImGui::TableNextColumn();
    ImGui::TextUnformatted(line.what.data(), line.what.data() + line.what.size());
    ImGui::TableNextColumn();
    ImGui::TextDisabled("%.*s", static_cast<int>(line.does.size()), line.does.data());
}

/// Width in pixels of a table of these lines.
float width_of(const std::vector<HelpLine>& all) {
    float what = 0, does = 0;
    for (const HelpLine& line : all) {
        what = std::max(what, ImGui::CalcTextSize(line.what.data(), line.what.data() + line.what.size()).x);
        does = std::max(does, ImGui::CalcTextSize(line.does.data(), line.does.data() + line.does.size()).x);
    }
    return what + does + 3 * ImGui::GetStyle().CellPadding.x;
}

/// Two tables side by side: one would be too tall.
void two_tables(const std::vector<HelpLine>& all, float gap) {
    if (!ImGui::BeginTable("keys", 5, ImGuiTableFlags_SizingFixedFit)) return;
    const std::size_t half = (all.size() + 1) / 2;
    for (std::size_t i = 0; i < half; ++i) {
        ImGui::TableNextRow();
        cells(all[i]);
        ImGui::TableNextColumn();
        ImGui::Dummy({gap, 0});
        if (half + i < all.size()) cells(all[half + i]);
    }
    ImGui::EndTable();
}

/// For a window too narrow for two tables.
void one_table(const std::vector<HelpLine>& all, ImVec2 size) {
    if (ImGui::BeginChild("lines", size) && ImGui::BeginTable("keys", 2, ImGuiTableFlags_SizingFixedFit)) {
        for (const HelpLine& line : all) {
            ImGui::TableNextRow();
            cells(line);
        }
        ImGui::EndTable();
    }
    ImGui::EndChild();
}

}  // namespace

void help_overlay(Widgets& ui, std::span<const HelpLine> keys, std::string_view flight_keys, UiRequests& requests) {
    std::vector<HelpLine> lines{keys.begin(), keys.end()};
    lines.insert(lines.end(), kMouse.begin(), kMouse.end());
    for (HelpLine& line : lines) line = {line.what == kFlightKeys ? flight_keys : tr(line.what), tr(line.does)};
    const ImVec2 screen = ImGui::GetIO().DisplaySize;
    const float gap = 10 * ui.scale();
    ImGui::SetNextWindowPos({screen.x / 2, screen.y / 2}, ImGuiCond_Always, {0.5f, 0.5f});
    ImGui::SetNextWindowSizeConstraints({0, 0}, {screen.x - 2 * gap, screen.y - 2 * gap});
    ImGui::SetNextWindowFocus();  // above the sidebar
    constexpr int flags = ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoResize |
                          ImGuiWindowFlags_AlwaysAutoResize | ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoNav;
    ImGui::PushStyleColor(ImGuiCol_WindowBg, ImGui::GetStyleColorVec4(ImGuiCol_PopupBg));
    if (ImGui::Begin("help", nullptr, flags)) {
        const ImVec2 room{screen.x - 4 * gap, screen.y - 4 * gap - 2 * ImGui::GetFrameHeightWithSpacing()};
        const float one = width_of(lines), wide = 2 * one + 3 * gap;
        const float tall = static_cast<float>((lines.size() + 1) / 2) * ImGui::GetTextLineHeightWithSpacing();
        if (wide <= room.x && tall <= room.y)
            two_tables(lines, gap);
        else
            one_table(lines, {std::min(room.x, one + ImGui::GetStyle().ScrollbarSize), room.y});
        ImGui::Spacing();
        if (ui.button("Close help", "Key H", ImGui::GetContentRegionAvail().x)) requests.ask(Command::kHelp);
    }
    ImGui::End();
    ImGui::PopStyleColor();
}

}  // namespace orrery
