// SPDX-License-Identifier: MIT
#include <imgui.h>

#include <string>

#include "app/ui/overlays.hpp"

namespace orrery {
namespace {

void line(std::string_view what, std::string_view does) {
    ImGui::TableNextRow();
    ImGui::TableNextColumn();
    ImGui::TextUnformatted(what.data(), what.data() + what.size());
    ImGui::TableNextColumn();
    ImGui::TextDisabled("%.*s", static_cast<int>(does.size()), does.data());
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
        if (ImGui::BeginTable("keys", 2, ImGuiTableFlags_SizingFixedFit)) {
            for (const KeyBinding& binding : key_bindings())
                if (!binding.text.empty()) line(binding.text, binding.does);
            for (const MouseHelp& mouse : mouse_help()) line(mouse.text, mouse.does);
            ImGui::EndTable();
        }
        ImGui::Spacing();
        if (ui.button("Close help", "Key H", ImGui::GetContentRegionAvail().x)) wishes.ask(Command::kHelp);
    }
    ImGui::End();
    ImGui::PopStyleColor();
}

}  // namespace orrery
