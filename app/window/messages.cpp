// SPDX-License-Identifier: MIT
#include "app/window/messages.hpp"

#include <fmt/format.h>
#include <imgui.h>
#include <imgui_internal.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "app/platform/machine.hpp"
#include "app/ui/words.hpp"
#include "app/window/kernel/kernel_page.hpp"
#include "app/window/overlays.hpp"
#include "app/window/panels.hpp"
#include "core/base/standard_streams.hpp"

namespace orrery {
namespace {

constexpr double kNoticeTime = 4, kFileTime = 8, kFailureTime = 10;  // seconds
constexpr std::size_t kMost = 4;                                     // the oldest are dropped

constexpr std::string_view kOpenFolder = "Open folder", kPlayFile = "Play###file";
constexpr float kLeastToast = 260, kLeastBesideDivider = 180;  // width, pixels at scale 1

struct ToastBox {
    ImVec2 at;  // lower left
    float wrap;
    bool button_below;
};

/// The buttons of a message, and which of them is pressed.
struct ToastButtons {
    bool folder = false, play = false;
    bool any() const { return folder || play; }
};

float width_of(const ToastButtons& buttons, float gap) {
    return (buttons.folder ? button_width(tr(kOpenFolder)) + gap : 0) +
           (buttons.play ? button_width(tr("Play")) + gap : 0);
}

/// Returns the buttons that were pressed.
ToastButtons toast_box(Widgets& ui, const std::string& name, const std::string& text, bool failure,
                       const ToastButtons& buttons, const ToastBox& box) {
    const float gap = kOverlayGap * ui.scale();
    place_window(box.at, {0, 1}, 0.94f);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {gap, 0.6f * gap});
    ImGui::PushStyleColor(ImGuiCol_Border,
                          failure ? ImVec4{0.9f, 0.35f, 0.25f, 0.9f} : ImGui::GetStyleColorVec4(ImGuiCol_Separator));
    const int flags =
        kFloatingWindow | ImGuiWindowFlags_AlwaysAutoResize | (buttons.any() ? 0 : ImGuiWindowFlags_NoInputs);
    ToastButtons pressed;
    if (ImGui::Begin(name.c_str(), nullptr, flags)) {
        if (buttons.any() && !box.button_below) ImGui::AlignTextToFramePadding();
        write_wrapped(text, gap + box.wrap);
        if (buttons.any() && !box.button_below) ImGui::SameLine(0, gap);
        pressed.play = buttons.play && ui.button(kPlayFile, "Opens the video in the player of the desktop");
        if (buttons.play && buttons.folder) ImGui::SameLine(0, gap);
        pressed.folder =
            buttons.folder &&
            ui.button(kOpenFolder, "Shows the file in the file manager; without one its path goes to the clipboard");
    }
    ImGui::End();
    ImGui::PopStyleColor();
    ImGui::PopStyleVar();
    return pressed;
}

struct ToastColumn {
    float left, width;
};

/// The wider part of the column beside the divider of a comparison, if a message of `least` pixels fits into it.
ToastColumn beside_divider(const ToastColumn& column, float least, float scale) {
    const ImGuiWindow* divider = ImGui::FindWindowByName(kDividerWindow);
    if (!divider || !divider->WasActive) return column;
    const float gap = kOverlayGap * scale, right = column.left + column.width;
    const float before = divider->Pos.x - gap, after = divider->Pos.x + divider->Size.x + gap;
    if (before >= right || after <= column.left) return column;
    const ToastColumn first{column.left, before - column.left}, second{after, right - after};
    const ToastColumn& wider = first.width >= second.width ? first : second;
    return wider.width >= least ? wider : column;
}

/// Bottom of the free area above this part of the picture.
float free_bottom(const UiState& state, float left, float right, float scale) {
    const float gap = kOverlayGap * scale;
    float bottom = ImGui::GetIO().DisplaySize.y - transport_height(state, scale) - kLegendStrip * scale;
    for (const char* name : {kComparisonWindow, kThetaWindow}) {
        const ImGuiWindow* window = ImGui::FindWindowByName(name);
        if (window && window->WasActive && window->Pos.x < right && window->Pos.x + window->Size.x > left)
            bottom = std::min(bottom, window->Pos.y - gap);
    }
    return bottom;
}

}  // namespace

void Toasts::say(Kind kind, std::string text, std::string_view topic, std::string file, FileUse use) {
    const double until = ImGui::GetTime() + (kind == Kind::kFailure ? kFailureTime
                                             : file.empty()         ? kNoticeTime
                                                                    : kFileTime);
    if (topic.empty()) topic = std::string_view{text}.substr(0, text.find(':'));
    std::erase_if(toasts_, [&](const Toast& toast) {
        return toast.text == text || (toast.topic == topic && toast.kind == Kind::kNotice && kind == Kind::kNotice);
    });
    std::string about{topic};
    toasts_.push_back({kind, std::move(text), std::move(about), std::move(file), use, until});
    if (toasts_.size() > kMost) toasts_.erase(toasts_.begin());
}

/// Draws the newest failure, otherwise the newest message, in one line beside the sidebar, or below it if too long.
void Toasts::draw_in_strip(Widgets& ui, const UiState& state, UiRequests& requests) const {
    const auto failure =
        std::ranges::find(toasts_.rbegin(), toasts_.rend(), Kind::kFailure, &Toast::kind);  // newest first
    const Toast& toast = failure == toasts_.rend() ? toasts_.back() : *failure;
    const ImVec2 screen = ImGui::GetIO().DisplaySize;
    const float gap = kOverlayGap * ui.scale(), beside = sidebar_width(state, ui.scale()) + gap;
    const ToastButtons buttons{!toast.file.empty(), toast.use == FileUse::kPlay};
    const float button = width_of(buttons, gap);
    const float words = std::ceil(text_width(toast.text)) + 1;
    const auto room = [&](float left) { return screen.x - left - 3 * gap - button; };
    const float left = words <= room(beside) ? beside : gap;
    const ToastBox box{{left, screen.y - transport_height(state, ui.scale()) - 0.4f * gap},
                       std::min(words, room(left)),
                       words > room(left)};
    const ToastButtons pressed = toast_box(ui, "toast 0", toast.text, toast.kind == Kind::kFailure, buttons, box);
    if (pressed.folder) requests.layout.show_folder_of = toast.file;
    if (pressed.play) requests.layout.play = toast.file;
}

void Toasts::draw(Widgets& ui, const UiState& state, float top, UiRequests& requests) {
    std::erase_if(toasts_, [now = ImGui::GetTime()](const Toast& toast) { return toast.until < now; });
    if (toasts_.empty()) return;
    if (state.layout.panels && (state.layout.panel == "maps" || state.layout.panel == "lab" ||
                                kernel_editor_width(state, ui.scale()) > 0 || !state.plots.large.empty()))
        return draw_in_strip(ui, state, requests);
    const ImVec2 screen = ImGui::GetIO().DisplaySize, padding{10 * ui.scale(), 6 * ui.scale()};
    const float gap = kOverlayGap * ui.scale(), line = ImGui::GetTextLineHeight();
    // Beside the sidebar if there is room for lines of a sensible length, otherwise over it.
    const float beside = sidebar_width(state, ui.scale()) + gap, least = kLeastToast * ui.scale();
    const float left = screen.x - beside > least ? beside : gap;
    const float bar = kLegendColumn * ui.scale(), free = screen.x - left - gap;
    const ToastColumn column =
        beside_divider({left, free - bar >= least ? free - bar : free}, kLeastBesideDivider * ui.scale(), ui.scale());
    const float width = std::min(560 * ui.scale(), column.width);
    float bottom = free_bottom(state, column.left, column.left + width, ui.scale());
    for (std::size_t i = toasts_.size(); i-- > 0;) {
        const Toast& toast = toasts_[i];
        const ToastButtons buttons{!toast.file.empty(), toast.use == FileUse::kPlay};
        const float wrap = width - 2 * padding.x;
        const float height =
            ImGui::CalcTextSize(toast.text.c_str(), nullptr, false, wrap).y + 2 * padding.y +
            (buttons.any() ? line + 2 * ImGui::GetStyle().FramePadding.y + ImGui::GetStyle().ItemSpacing.y : 0);
        if (bottom - height < top && i + 1 < toasts_.size()) return;  // the newest is always drawn
        const ToastButtons pressed = toast_box(ui, fmt::format("toast {}", i), toast.text, toast.kind == Kind::kFailure,
                                               buttons, {{column.left, bottom}, wrap, true});
        if (pressed.folder) requests.layout.show_folder_of = toast.file;
        if (pressed.play) requests.layout.play = toast.file;
        bottom -= height + gap;
    }
}

void Messages::notice(const std::string& text, std::string_view topic) {
    last_ = as_read(text);
    toasts_.say(Toasts::Kind::kNotice, std::string{if_known(last_)}, topic);
}

void Messages::file(const std::string& what, const std::string& path, Toasts::FileUse use) {
    const bool elsewhere = readable_ != nullptr;
    last_ = std::string{if_known(what)} + ": " +
            verbatim(elsewhere ? std::filesystem::path{path}.filename().string() : path);
    const bool plays = use == Toasts::FileUse::kPlay && can_open_on_desktop();
    toasts_.say(Toasts::Kind::kNotice, last_, {}, elsewhere ? std::string{} : path,
                plays ? Toasts::FileUse::kPlay : Toasts::FileUse::kShow);
}

void Messages::failure(const std::string& text) {
    last_ = as_read(text);
    toasts_.say(Toasts::Kind::kFailure, verbatim(last_));  // errors are in English, as on the command line
    to_stderr("orrery: {}\n", text);
}

}  // namespace orrery
