// SPDX-License-Identifier: MIT
#include <imgui.h>

#include <algorithm>

#include "app/ui/overlays.hpp"
#include "app/ui/panels.hpp"
#include "app/ui/words.hpp"

namespace orrery {
namespace {

constexpr float kCardTop = 0.7f, kCardMost = 620;  // of the height, below the large figures; pixels at scale 1
constexpr float kBesideCard = 76;                  // the colour bar has room beside it

int opacity(double part, int most) { return static_cast<int>(std::clamp(part, 0.0, 1.0) * most); }

/// In the middle of a line, with a shadow that keeps it readable over anything.
float words_at(ImDrawList& draw, ImFont* font, float size, const std::string& words, ImVec2 top_middle, float wrap,
               double shown) {
    const ImVec2 room = font->CalcTextSizeA(size, wrap, wrap, words.c_str());
    const ImVec2 at{top_middle.x - room.x / 2, top_middle.y};
    const float off = std::max(1.0f, size / 16);
    draw.AddText(font, size, {at.x + off, at.y + off}, IM_COL32(0, 0, 0, opacity(shown, 190)), words.c_str(), nullptr,
                 wrap);
    draw.AddText(font, size, at, IM_COL32(235, 238, 245, opacity(shown, 255)), words.c_str(), nullptr, wrap);
    return room.y;
}

}  // namespace

void title_card(const Widgets& ui, const UiState& state, const Fonts& fonts) {
    const TitleCard& card = state.card;
    if (!state.ready || (card.shown <= 0 && card.veil <= 0)) return;
    ImDrawList& draw = *ImGui::GetBackgroundDrawList();  // over the picture, under the panels
    const ImVec2 screen = ImGui::GetIO().DisplaySize;
    if (card.veil > 0) draw.AddRectFilled({0, 0}, screen, IM_COL32(0, 0, 0, opacity(card.veil, 255)));
    const float left = sidebar_width(state, ui.scale()), gap = kBesideCard * ui.scale();
    const float wrap = std::min(kCardMost * ui.scale(), screen.x - left - 2 * gap);
    if (wrap < 120 * ui.scale() || card.shown <= 0) return;
    ImVec2 at{(left + screen.x) / 2, kCardTop * screen.y};
    at.y += words_at(draw, fonts.large, fonts.large->FontSize, std::string{tr(card.title)}, at, wrap, card.shown) +
            4 * ui.scale();
    words_at(draw, fonts.text, fonts.text->FontSize * 1.1f, std::string{tr(card.watch)}, at, wrap, card.shown);
}

}  // namespace orrery
