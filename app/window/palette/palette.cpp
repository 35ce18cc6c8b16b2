// SPDX-License-Identifier: MIT
#include "app/window/palette/palette.hpp"

#include <imgui.h>

#include <algorithm>

#include "app/ui/words.hpp"

namespace orrery {
namespace {

// Pixels at scale 1.
constexpr float kPaletteWidth = 620, kPaletteTop = 48, kPaletteLines = 12;

bool pressed(ImGuiKey key) { return ImGui::IsKeyPressed(ImGui::GetKeyIndex(key)); }

/// Index of the chosen line, of `count`, after the arrow keys.
std::size_t moved(std::size_t chosen, std::size_t count) {
    if (count == 0) return 0;
    chosen = std::min(chosen, count - 1);
    if (pressed(ImGuiKey_DownArrow)) return (chosen + 1) % count;
    if (pressed(ImGuiKey_UpArrow)) return (chosen + count - 1) % count;
    return chosen;
}

/// Returns whether it was clicked.
bool line_button(Widgets& ui, const PaletteLine& line, bool chosen) {
    const float width = ImGui::GetContentRegionAvail().x;
    ImGui::BeginDisabled(!line.why_not.empty());
    const bool clicked = ui.tab(line.label, chosen, line.why_not.empty() ? line.tip : line.why_not, width);
    ImGui::EndDisabled();
    const ImVec2 low = ImGui::GetItemRectMin(), high = ImGui::GetItemRectMax();
    const std::string words{tr(line.aside)};
    const float aside = ImGui::CalcTextSize(words.c_str()).x, edge = ImGui::GetStyle().FramePadding.x;
    ImGui::GetWindowDrawList()->AddText({high.x - aside - edge, low.y + ImGui::GetStyle().FramePadding.y},
                                        ImGui::GetColorU32(ImGuiCol_TextDisabled), words.c_str());
    return clicked && line.why_not.empty();
}

void ask(const PaletteLine& line, UiRequests& requests) {
    requests.change([](UiState& now) { now.palette.on = false; });
    line.ask(requests);
}

void found_lines(Widgets& ui, const std::vector<const PaletteLine*>& found, std::size_t chosen, bool follow,
                 UiRequests& requests) {
    ImGui::PushStyleVar(ImGuiStyleVar_ButtonTextAlign, {0, 0.5f});
    for (std::size_t i = 0; i < found.size(); ++i) {
        if (line_button(ui, *found[i], i == chosen)) ask(*found[i], requests);
        if (follow && i == chosen) ImGui::SetScrollHereY();
    }
    ImGui::PopStyleVar();
    if (found.empty()) ui.note("No entry contains all of these words");
}

void palette_page(Widgets& ui, const UiState& state, std::span<const PaletteCommand> commands, UiRequests& requests) {
    const std::vector<PaletteLine> lines = palette_lines(state, commands);
    std::string search = state.palette.search;
    if (!ImGui::IsAnyItemActive()) ui.type_into_next();
    const bool edited = ui.text("Find", search, "a command, page, engine, map, scene, colour, setting",
                                "Words to search for; arrows choose, Enter runs, Esc closes");
    const bool entered = ui.entered();
    if (edited) requests.change([search](UiState& now) { now.palette.search = search; });
    const auto found = palette_matches(lines, search);
    const std::size_t before = edited ? 0 : state.palette.chosen, chosen = moved(before, found.size());
    requests.change([chosen](UiState& now) { now.palette.chosen = chosen; });
    if (pressed(ImGuiKey_Escape)) requests.change([](UiState& now) { now.palette.on = false; });
    if (entered && !found.empty() && found[chosen]->why_not.empty()) ask(*found[chosen], requests);
    ui.set_tips(TipPlace::kBelowAll);
    if (ImGui::BeginChild("lines", {0, 0}, false, ImGuiWindowFlags_NoNav))
        found_lines(ui, found, chosen, edited || chosen != state.palette.chosen, requests);
    ImGui::EndChild();
    ui.set_tips(TipPlace::kMouse);
}

}  // namespace

void palette_overlay(Widgets& ui, const UiState& state, std::span<const PaletteCommand> commands,
                     UiRequests& requests) {
    const ImVec2 screen = ImGui::GetIO().DisplaySize;
    const float width = std::min(kPaletteWidth * ui.scale(), screen.x - 16 * ui.scale());
    const float tall = (kPaletteLines + 1) * ImGui::GetFrameHeightWithSpacing() + 2 * ImGui::GetStyle().WindowPadding.y;
    ImGui::SetNextWindowPos({(screen.x - width) / 2, kPaletteTop * ui.scale()});
    ImGui::SetNextWindowSize({width, std::min(tall, screen.y - 2 * kPaletteTop * ui.scale())});
    keep_in_front("palette");
    ImGui::PushStyleColor(ImGuiCol_WindowBg, ImGui::GetStyleColorVec4(ImGuiCol_PopupBg));
    constexpr int flags = ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoResize |
                          ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoNav;
    if (ImGui::Begin("palette", nullptr, flags)) {
        palette_page(ui, state, commands, requests);
        if (ImGui::IsMouseClicked(ImGuiMouseButton_Left) &&
            !ImGui::IsWindowHovered(ImGuiHoveredFlags_ChildWindows | ImGuiHoveredFlags_AllowWhenBlockedByActiveItem))
            requests.change([](UiState& now) { now.palette.on = false; });
    }
    ImGui::End();
    ImGui::PopStyleColor();
}

}  // namespace orrery
