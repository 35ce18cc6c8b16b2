// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <array>

#include "app/ui/format.hpp"
#include "app/ui/map_canvas.hpp"
#include "app/ui/overlays.hpp"
#include "app/ui/panels.hpp"

namespace orrery {
namespace {

constexpr float kGap = 10, kBetween = 28;                // pixels at scale 1; between the two drawings
constexpr float kLargePart = 0.68f;                      // of the large font: seven figures side by side
constexpr float kLeastWidth = 420, kLeastDrawing = 120;  // below, a window is too small for the picture

void large_text(const Fonts& fonts, const std::string& text) {
    ImGui::PushFont(fonts.large);
    ImGui::SetWindowFontScale(kLargePart);
    ImGui::TextUnformatted(text.c_str());
    ImGui::SetWindowFontScale(1);
    ImGui::PopFont();
}

void title(const MapPicture& picture, const Fonts& fonts) {
    const MapEntry& entry = map(picture.map());
    large_text(fonts, entry.takes_root ? fmt::format("{} · {}", entry.id, picture.root()) : std::string{entry.id});
    ImGui::TextDisabled("%s: %s", entry.label.data(), entry.doc.data());
}

std::string grid_caption(const MapPicture& picture) {
    const Grid grid = picture.grid();
    if (picture.folded()) return fmt::format("launched: a line of {} blocks, folded", grouped(grid.x));
    return fmt::format("launched: {} × {} blocks", grid.x, grid.y);
}

std::string figure_text(std::uint64_t number) {
    return number < 1'000'000 ? grouped(number) : short_number(static_cast<double>(number));
}

void figures(const UiState& state, const MapPicture& picture, const Fonts& fonts, float width) {
    const MapCounts& counts = picture.true_counts();
    const auto all = std::to_array<std::pair<std::string, const char*>>(
        {{figure_text(state.status.bodies), "bodies n"},
         {fmt::format("{}", state.map.tile_side), "tile side ρ"},
         {figure_text(picture.rows()), "rows of tiles m"},
         {figure_text(counts.launched), "launched"},
         {figure_text(counts.useful), "useful"},
         {figure_text(counts.wasted()), "wasted"},
         {fmt::format("{:.{}f} %", 100 * counts.waste(), counts.wasted() > 0 && counts.waste() < 0.1 ? 2 : 1),
          "waste"}});
    const float left = ImGui::GetCursorPosX(), top = ImGui::GetCursorPosY();
    float below = top;
    for (std::size_t i = 0; i < all.size(); ++i) {
        const float x = left + width * static_cast<float>(i) / static_cast<float>(all.size());
        ImGui::SetCursorPos({x, top});
        large_text(fonts, all[i].first);
        ImGui::SetCursorPosX(x);
        ImGui::TextDisabled("%s", all[i].second);
        below = ImGui::GetCursorPosY();
    }
    ImGui::SetCursorPos({left, below});
}

std::string remark(const UiState& state, const MapPicture& picture) {
    std::string text;
    if (picture.drawn() != picture.rows())
        text = fmt::format("Counts are those of m = {}; drawn is the same map with {} rows. ", grouped(picture.rows()),
                           picture.drawn());
    if (!state.map.walked)
        text += fmt::format("The engine in force, {}, walks no map: this is what half would launch.",
                            state.status.engine.engine);
    return text;
}

}  // namespace

void map_overlay(Widgets& ui, const UiState& state, const Fonts& fonts, Wishes& wishes) {
    if (state.panel != "maps" || !state.map.picture) return;
    const MapPicture& picture = *state.map.picture;
    const ImGuiStyle& style = ImGui::GetStyle();
    const ImVec2 screen = ImGui::GetIO().DisplaySize;
    const float gap = kGap * ui.scale(), left = sidebar_width(ui.scale()) + gap;
    const float width = screen.x - left - gap, inner = width - 2 * style.WindowPadding.x;
    // Title, captions, what the mouse points at, figures, remarks.
    const float words = 2 * kLargePart * fonts.large->FontSize + 6 * ImGui::GetTextLineHeightWithSpacing() +
                        2 * style.WindowPadding.y + 2 * gap;
    // As high for every map, so that nothing jumps from one to the next; two squares fit side by side.
    const float height = std::min(screen.y - 2 * gap - words, 0.55f * inner);
    if (width < kLeastWidth * ui.scale() || height < kLeastDrawing * ui.scale()) return;
    const float between = kBetween * ui.scale();
    const auto across = static_cast<float>(picture.columns() + picture.drawn());
    const auto down = static_cast<float>(std::max(picture.lines(), picture.drawn()));
    float cell = std::min({(inner - between) / across, height / down, 64 * ui.scale()});
    if (cell >= 5) cell = std::floor(cell);  // equal gaps
    ImGui::SetNextWindowPos({left, screen.y - gap}, ImGuiCond_Always, {0, 1});
    ImGui::SetNextWindowSize({width, 0});
    ImGui::SetNextWindowBgAlpha(0.8f);
    constexpr int flags = ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings |
                          ImGuiWindowFlags_NoFocusOnAppearing | ImGuiWindowFlags_NoNav |
                          ImGuiWindowFlags_AlwaysAutoResize | ImGuiWindowFlags_NoBringToFrontOnFocus;
    if (ImGui::Begin("map", nullptr, flags)) {
        title(picture, fonts);
        ImGui::Spacing();
        const float start = ImGui::GetCursorPosX();
        ImGui::TextUnformatted(grid_caption(picture).c_str());
        ImGui::SameLine(start + cell * static_cast<float>(picture.columns()) + between);
        ImGui::Text("triangle of %u rows of tiles", picture.drawn());
        const float top = ImGui::GetCursorPosY();
        const auto pick = map_canvas(ui, picture, cell, between);
        ImGui::SetCursorPosY(top + height);
        if (pick) wishes.map_hover = pick_text(picture, *pick);
        large_text(fonts, pick ? wishes.map_hover : std::string{" "});
        figures(state, picture, fonts, inner);
        if (const std::string text = remark(state, picture); !text.empty()) ui.note(text);
    }
    ImGui::End();
}

}  // namespace orrery
