// SPDX-License-Identifier: MIT
#include <imgui.h>

#include <string>
#include <vector>

#include "app/ui/overlays.hpp"

namespace orrery {
namespace {

struct Line {
    std::string_view what, does;
};

std::vector<Line> lines() {
    std::vector<Line> all;
    for (const KeyBinding& binding : key_bindings())
        if (!binding.text.empty()) all.push_back({binding.text, binding.does});
    for (const MouseHelp& mouse : mouse_help()) all.push_back({mouse.text, mouse.does});
    return all;
}

void cells(const Line& line) {
    ImGui::TableNextColumn();
    ImGui::TextUnformatted(line.what.data(), line.what.data() + line.what.size());
    ImGui::TableNextColumn();
    ImGui::TextDisabled("%.*s", static_cast<int>(line.does.size()), line.does.data());
}

/// Two tables side by side: the second half would not fit below the first.
void table(const std::vector<Line>& all, float gap) {
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

void help_overlay(Widgets& ui, Wishes& wishes) {
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
            table(lines(), gap);
            ImGui::EndTable();
        }
        ImGui::Spacing();
        if (ui.button("Close help", "Key H", ImGui::GetContentRegionAvail().x)) wishes.ask(Command::kHelp);
    }
    ImGui::End();
    ImGui::PopStyleColor();
}

}  // namespace orrery
