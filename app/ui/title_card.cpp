// SPDX-License-Identifier: MIT
#include <imgui.h>
#include <imgui_internal.h>

#include <algorithm>

#include "app/ui/overlays.hpp"
#include "app/ui/panels.hpp"
#include "app/ui/words.hpp"

namespace orrery {
namespace {

constexpr float kTitleMost = 620, kTitleLeast = 200, kTitleGap = 10, kTitlePadding = 10;  // pixels at scale 1

int opacity(double part, int most) { return static_cast<int>(std::clamp(part, 0.0, 1.0) * most); }

/// At the top beside the sidebar and the large figures, or in place of the figures if that leaves too little room.
struct TitlePlace {
    ImVec2 at;
    float room;
};
TitlePlace title_place(const UiState& state, float scale) {
    const float gap = kTitleGap * scale, left = sidebar_width(state, scale) + gap;
    float top = gap + groups_height(state, scale), right = ImGui::GetIO().DisplaySize.x - gap;
    if (state.status.compare.on) top += 3.5f * ImGui::GetFrameHeight();  // below the names of A and B
    const ImGuiWindow* figures = ImGui::FindWindowByName(kFiguresWindow);
    const bool beside = figures && state.layout.overlay && !state.status.compare.on &&
                        figures->Pos.x - gap - left >= kTitleLeast * scale;
    if (beside) right = figures->Pos.x - gap;
    return {{left, top}, std::min(right - left, kTitleMost * scale)};
}

}  // namespace

std::optional<Rectangle> title_card(const Widgets& ui, const UiState& state, const Fonts& fonts) {
    const TitleCard& card = state.scene.card;
    if (!state.scene.ready || (card.shown <= 0 && card.veil <= 0)) return std::nullopt;
    ImDrawList& draw = *ImGui::GetBackgroundDrawList();  // over the picture, under the panels
    const ImVec2 screen = ImGui::GetIO().DisplaySize;
    if (card.veil > 0) draw.AddRectFilled({0, 0}, screen, IM_COL32(0, 0, 0, opacity(card.veil, 255)));
    const TitlePlace place = title_place(state, ui.scale());
    if (place.room < kTitleLeast * ui.scale() || card.shown <= 0) return std::nullopt;
    const float pad = kTitlePadding * ui.scale(), wrap = place.room - 2 * pad;
    const std::string title{tr(card.title)}, watch{tr(card.watch)};
    const float large = fonts.large->FontSize, small = fonts.text->FontSize * 1.1f;
    const ImVec2 upper = fonts.large->CalcTextSizeA(large, wrap, wrap, title.c_str());
    const ImVec2 lower = watch.empty() ? ImVec2{} : fonts.text->CalcTextSizeA(small, wrap, wrap, watch.c_str());
    const ImVec2 end{place.at.x + std::max(upper.x, lower.x) + 2 * pad, place.at.y + upper.y + lower.y + 2 * pad};
    // A dark background keeps the text readable over bright bodies.
    draw.AddRectFilled(place.at, end, IM_COL32(10, 12, 16, opacity(card.shown, 165)), pad);
    const ImU32 ink = IM_COL32(235, 238, 245, opacity(card.shown, 255));
    const ImVec2 at{place.at.x + pad, place.at.y + pad};
    draw.AddText(fonts.large, large, at, ink, title.c_str(), nullptr, wrap);
    draw.AddText(fonts.text, small, {at.x, at.y + upper.y}, ink, watch.c_str(), nullptr, wrap);
    return Rectangle{place.at.x, place.at.y, end.x, end.y};
}

}  // namespace orrery
