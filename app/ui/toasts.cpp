// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>

#include "app/ui/overlays.hpp"
#include "app/ui/panels.hpp"

namespace orrery {
namespace {

constexpr double kNoticeTime = 4, kFileTime = 8, kFailureTime = 10;  // seconds
constexpr std::size_t kMost = 4;                                     // the oldest are dropped

}  // namespace

void Toasts::say(Kind kind, std::string text, std::string_view topic, std::string file) {
    const double until = ImGui::GetTime() + (kind == Kind::kFailure ? kFailureTime
                                             : file.empty()         ? kNoticeTime
                                                                    : kFileTime);
    if (topic.empty()) topic = std::string_view{text}.substr(0, text.find(':'));
    std::erase_if(toasts_, [&](const Toast& toast) {
        return toast.text == text || (toast.topic == topic && toast.kind == Kind::kNotice && kind == Kind::kNotice);
    });
    std::string about{topic};
    toasts_.push_back({kind, std::move(text), std::move(about), std::move(file), until});
    if (toasts_.size() > kMost) toasts_.erase(toasts_.begin());
}

void Toasts::draw(Widgets& ui, const UiState& state, UiRequests& requests) {
    std::erase_if(toasts_, [now = ImGui::GetTime()](const Toast& toast) { return toast.until < now; });
    const ImVec2 screen = ImGui::GetIO().DisplaySize;
    const float gap = 10 * ui.scale();
    // Beside the sidebar if there is room for lines of a sensible length, otherwise over it.
    const float beside = sidebar_width(state, ui.scale()) + gap;
    const float left = screen.x - beside > 260 * ui.scale() ? beside : gap;
    const float width = std::min(560 * ui.scale(), screen.x - left - gap);
    // In the strip that the map and the laboratory leave free, otherwise above the scale bar.
    const bool strip = state.panel == "maps" || state.panel == "lab";
    const float bar = transport_height(state, ui.scale());
    float bottom = screen.y - bar - (strip ? 0.4f : 3.8f) * gap;
    for (std::size_t i = toasts_.size(); i-- > 0;) {
        const Toast& toast = toasts_[i];
        ImGui::SetNextWindowPos({left, bottom}, ImGuiCond_Always, {0, 1});
        ImGui::SetNextWindowBgAlpha(0.94f);
        ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {gap, 0.6f * gap});
        ImGui::PushStyleColor(ImGuiCol_Border, toast.kind == Kind::kFailure
                                                   ? ImVec4{0.9f, 0.35f, 0.25f, 0.9f}
                                                   : ImGui::GetStyleColorVec4(ImGuiCol_Separator));
        const int flags = ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings |
                          ImGuiWindowFlags_AlwaysAutoResize | ImGuiWindowFlags_NoFocusOnAppearing |
                          ImGuiWindowFlags_NoNav | (toast.file.empty() ? ImGuiWindowFlags_NoInputs : 0);
        if (ImGui::Begin(fmt::format("toast {}", i).c_str(), nullptr, flags)) {
            ImGui::PushTextWrapPos(width - ImGui::GetStyle().WindowPadding.x);
            ImGui::TextUnformatted(toast.text.c_str());
            ImGui::PopTextWrapPos();
            if (!toast.file.empty() &&
                ui.button("Open folder",
                          "Shows the file in the file manager; without one its path goes to the clipboard"))
                requests.show_folder_of = toast.file;
        }
        bottom -= ImGui::GetWindowHeight() + gap;
        ImGui::End();
        ImGui::PopStyleColor();
        ImGui::PopStyleVar();
    }
}

}  // namespace orrery
