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

/// One of several offers, with its buttons.
void kept_lines(Widgets& ui, const AutosaveOffer& kept, std::size_t place, float width, UiRequests& requests) {
    const bool sound = kept.problem.empty();
    if (!sound)
        wrapped(phrase("A window that did not close properly has left a damaged file: {}. {}", kept.text, kept.problem),
                width);
    else if (place == 0)
        wrapped(phrase("The last window did not close properly. Its bodies are kept: {}", kept.text), width);
    else
        wrapped(phrase("The bodies of another window are kept too: {}", kept.text), width);
    const auto button = [&](const char* first, const char* others, std::string_view tip, float wide) {
        const std::string label = place == 0 ? first : std::string{others} + "###" + others + std::to_string(place);
        return ui.button(label, tip, wide);
    };
    const float half = (width - ImGui::GetStyle().ItemSpacing.x) / 2;
    if (sound) {
        if (button("Continue with them", "Continue with these", "Opens the bodies as they were saved last", half))
            requests.autosave = AutosaveAnswer{kept.path, true};
        ImGui::SameLine();
    }
    if (button(sound ? "Discard them" : "Discard the damaged file", sound ? "Discard these" : "Discard this file",
               "Removes the file", sound ? half : width))
        requests.autosave = AutosaveAnswer{kept.path, false};
}

}  // namespace

void leave_dialog(Widgets& ui, const UiState& state, UiRequests& requests) {
    const LeaveQuestion& question = state.leave;
    if (!question.asked()) return;
    const ImVec2 screen = ImGui::GetIO().DisplaySize;
    const float width = std::min(380 * ui.scale(), screen.x - 60 * ui.scale());
    ImGui::GetBackgroundDrawList()->AddRectFilled({0, 0}, screen, IM_COL32(0, 0, 0, 120));
    ImGui::SetNextWindowPos({screen.x / 2, screen.y / 2}, ImGuiCond_Always, {0.5f, 0.5f});
    ImGui::SetNextWindowFocus();
    ImGui::PushStyleColor(ImGuiCol_WindowBg, ImGui::GetStyleColorVec4(ImGuiCol_PopupBg));
    if (ImGui::Begin("leave", nullptr, kAskingFlags)) {
        for (std::string_view rest = question.text; !rest.empty();) {
            const std::string_view line = rest.substr(0, rest.find('\n'));
            wrapped(std::string{line}, width);
            rest.remove_prefix(std::min(rest.size(), line.size() + 1));
        }
        ImGui::Spacing();
        const auto by_enter = [&](LeaveAnswer answer) { return question.enter == answer; };
        if (question.may_save &&
            ui.button("Save the bodies and close",
                      "Writes them as a checkpoint, which the gallery opens again. Key Enter", width))
            requests.leave = LeaveAnswer::kSaveAndLeave;
        if (ui.button(question.leave, by_enter(LeaveAnswer::kLeave) ? "Key Enter" : "What is named above is lost",
                      width))
            requests.leave = LeaveAnswer::kLeave;
        if (ui.button("Stay", by_enter(LeaveAnswer::kStay) ? "Key Enter or Esc" : "Key Esc", width))
            requests.leave = LeaveAnswer::kStay;
    }
    ImGui::End();
    ImGui::PopStyleColor();
}

void autosave_offer(Widgets& ui, const UiState& state, UiRequests& requests) {
    constexpr std::size_t kMost = 4;  // the others follow when these are answered
    if (state.autosave.offers.empty() || !state.scene.ready || state.leave.asked()) return;
    const ImVec2 screen = ImGui::GetIO().DisplaySize;
    const float gap = 10 * ui.scale(), width = std::min(420 * ui.scale(), screen.x - 4 * gap);
    ImGui::SetNextWindowPos({screen.x / 2, screen.y - 2 * gap}, ImGuiCond_Always, {0.5f, 1});
    ImGui::PushStyleColor(ImGuiCol_WindowBg, ImGui::GetStyleColorVec4(ImGuiCol_PopupBg));
    ImGui::PushStyleColor(ImGuiCol_Border, ImGui::GetStyleColorVec4(ImGuiCol_CheckMark));
    if (ImGui::Begin("kept", nullptr, kAskingFlags | ImGuiWindowFlags_NoFocusOnAppearing)) {
        ImGui::BringWindowToDisplayFront(ImGui::GetCurrentWindow());  // above the gallery, which keeps the keyboard
        ui.set_tips(TipPlace::kOver);
        for (std::size_t i = 0; i < std::min(kMost, state.autosave.offers.size()); ++i)
            kept_lines(ui, state.autosave.offers[i], i, width, requests);
        ui.set_tips(TipPlace::kMouse);
    }
    ImGui::End();
    ImGui::PopStyleColor(2);
}

}  // namespace orrery
