// SPDX-License-Identifier: MIT
#include <imgui.h>
#include <imgui_internal.h>

#include <algorithm>

#include "app/ui/overlays.hpp"
#include "app/ui/words.hpp"

namespace orrery {
namespace {

constexpr int kAskingFlags = ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoResize |
                             ImGuiWindowFlags_AlwaysAutoResize | ImGuiWindowFlags_NoSavedSettings |
                             ImGuiWindowFlags_NoNav;

void wrapped(const std::string& text, float width) {
    ImGui::PushTextWrapPos(ImGui::GetCursorPosX() + width);
    const std::string_view words = tr(text);
    ImGui::TextUnformatted(words.data(), words.data() + words.size());
    ImGui::PopTextWrapPos();
    ImGui::Dummy({width, 0});
}

}  // namespace

void leave_dialog(Widgets& ui, const UiState& state, Wishes& wishes) {
    const LeaveQuestion& question = state.leave;
    if (!question.asked()) return;
    const ImVec2 screen = ImGui::GetIO().DisplaySize;
    const float width = std::min(380 * ui.scale(), screen.x - 60 * ui.scale());
    ImGui::GetBackgroundDrawList()->AddRectFilled({0, 0}, screen, IM_COL32(0, 0, 0, 120));
    ImGui::SetNextWindowPos({screen.x / 2, screen.y / 2}, ImGuiCond_Always, {0.5f, 0.5f});
    ImGui::SetNextWindowFocus();
    ImGui::PushStyleColor(ImGuiCol_WindowBg, ImGui::GetStyleColorVec4(ImGuiCol_PopupBg));
    if (ImGui::Begin("leave", nullptr, kAskingFlags)) {
        wrapped(question.text, width);
        ImGui::Spacing();
        if (ui.button(question.leave, "Key Enter", width)) wishes.leave = LeaveAnswer::kLeave;
        if (question.may_save &&
            ui.button("Save the bodies and close", "Writes them as a checkpoint, which the gallery opens again", width))
            wishes.leave = LeaveAnswer::kSaveAndLeave;
        if (ui.button("Stay", "Key Esc", width)) wishes.leave = LeaveAnswer::kStay;
    }
    ImGui::End();
    ImGui::PopStyleColor();
}

void kept_state_offer(Widgets& ui, const UiState& state, Wishes& wishes) {
    const KeptState& kept = state.kept;
    if (kept.path.empty() || !state.ready || state.leave.asked()) return;
    const ImVec2 screen = ImGui::GetIO().DisplaySize;
    const float gap = 10 * ui.scale(), width = std::min(420 * ui.scale(), screen.x - 4 * gap);
    ImGui::SetNextWindowPos({screen.x / 2, screen.y - 2 * gap}, ImGuiCond_Always, {0.5f, 1});
    ImGui::PushStyleColor(ImGuiCol_WindowBg, ImGui::GetStyleColorVec4(ImGuiCol_PopupBg));
    ImGui::PushStyleColor(ImGuiCol_Border, ImGui::GetStyleColorVec4(ImGuiCol_CheckMark));
    if (ImGui::Begin("kept", nullptr, kAskingFlags | ImGuiWindowFlags_NoFocusOnAppearing)) {
        ImGui::BringWindowToDisplayFront(ImGui::GetCurrentWindow());  // above the gallery, which keeps the keyboard
        wrapped(phrase("The last window did not close properly. Its bodies are kept: {}", kept.text), width);
        const float half = (width - ImGui::GetStyle().ItemSpacing.x) / 2;
        ui.set_tips(TipPlace::kOver);
        if (ui.button("Go on with them", "Opens the bodies as they were saved last", half))
            wishes.kept = KeptAnswer::kGoOn;
        ImGui::SameLine();
        if (ui.button("Discard them", "Removes the file", half)) wishes.kept = KeptAnswer::kDiscard;
        ui.set_tips(TipPlace::kMouse);
    }
    ImGui::End();
    ImGui::PopStyleColor(2);
}

}  // namespace orrery
