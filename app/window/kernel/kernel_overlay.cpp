// SPDX-License-Identifier: MIT
#include "app/window/kernel/kernel_overlay.hpp"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>

#include "app/ui/words.hpp"
#include "app/window/kernel/kernel_page.hpp"
#include "app/window/overlays.hpp"
#include "app/window/panels.hpp"

namespace orrery {
namespace {

constexpr float kEditorPart = 0.62f;                    // of the picture's width
constexpr float kEditorLeast = 430, kEditorMost = 860;  // pixels at scale 1
constexpr float kEditorOpacity = 0.92f;

bool editor_shown(const UiState& state) {
    return state.layout.panels && state.layout.panel == "kernel" && state.own.of<KernelPage>().editor;
}

/// Width of the editor's window in pixels.
float editor_width(const UiState& state, float scale) {
    const float gap = kOverlayGap * scale;
    const float room = ImGui::GetIO().DisplaySize.x - sidebar_width(state, scale) - 2 * gap;
    return std::min(room, std::clamp(kEditorPart * room, kEditorLeast * scale, kEditorMost * scale));
}

/// The faults of the text in the editor: those of the last trial, while the text is the same.
CodeView view_of(const KernelPage& page) {
    CodeView view;
    if (page.fault.line > 0 && page.tried == page.text) view.marks.push_back({page.fault.line, page.fault.text});
    if (page.fault_is_new && !view.marks.empty()) view.show_line = page.fault.line;
    return view;
}

}  // namespace

float kernel_editor_width(const UiState& state, float scale) {
    return editor_shown(state) ? editor_width(state, scale) + kOverlayGap * scale : 0;
}

void kernel_overlay(Widgets& ui, const UiState& state, UiRequests& requests) {
    if (!editor_shown(state)) return;
    const auto& page = state.own.of<KernelPage>();
    const float gap = kOverlayGap * ui.scale(), left = sidebar_width(state, ui.scale()) + gap;
    const float width = editor_width(state, ui.scale());
    const float height =
        ImGui::GetIO().DisplaySize.y - gap - kMessageStrip * ui.scale() - transport_height(state, ui.scale());
    if (width < kEditorLeast * ui.scale() / 2 || height < 6 * ImGui::GetTextLineHeight()) return;
    place_window({left, gap}, {0, 0}, kEditorOpacity);
    ImGui::SetNextWindowSize({width, height});
    if (ImGui::Begin(kKernelWindow, nullptr, kFloatingWindow | ImGuiWindowFlags_NoBringToFrontOnFocus)) {
        write_text(verbatim(page.name));
        ImGui::SameLine();
        write_dim(page.modified() ? tr("modified") : std::string_view{});
        if (page.caret > 0) {
            const std::string line = phrase("line {}", page.caret);
            ImGui::SameLine(ImGui::GetWindowContentRegionMax().x - text_width(line));
            write_dim(line);
        }
        const CodeView view = view_of(page);
        const float message =
            view.marks.empty()
                ? 0
                : ImGui::GetStyle().ItemSpacing.y +
                      ImGui::CalcTextSize(page.fault.text.c_str(), nullptr, false, ImGui::GetContentRegionAvail().x).y;
        std::string text = page.text;
        const ImVec2 room = ImGui::GetContentRegionAvail();
        const CodeEvents events =
            ui.code("Kernel text", text, {room.x, room.y - message}, view,
                    "The kernel. Ctrl + Enter runs it, Ctrl + S saves and runs it, Esc leaves the editor");
        if (message > 0) {
            ImGui::PushStyleColor(ImGuiCol_Text, record_mark());
            write_wrapped(verbatim(page.fault.text));
            ImGui::PopStyleColor();
        }
        if (events.edited || events.entered || events.caret != page.caret || view.show_line > 0)
            requests.change([text, events](UiState& now) {
                auto& changed = now.own.of<KernelPage>();
                changed.fault_is_new = false;
                if (events.edited) changed.text = text;
                changed.caret = events.caret;
                changed.wish.run |= events.entered;
            });
        if (events.entered) ui.type_into_next();
    }
    ImGui::End();
}

}  // namespace orrery
