// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <imgui.h>
#include <imgui_internal.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <span>
#include <utility>

#include "app/picture/format.hpp"
#include "app/ui/map3_canvas.hpp"
#include "app/ui/map_canvas.hpp"
#include "app/ui/overlays.hpp"
#include "app/ui/panels.hpp"
#include "app/ui/words.hpp"
#include "core/maps/maps3.hpp"

namespace orrery {
namespace {

constexpr float kBetweenFigures = 12;         // pixels at scale 1
constexpr float kMapGap = 10, kBetween = 28;  // pixels at scale 1; between the two drawings
constexpr float kLargePart = 0.68f;           // of the large font: fits seven figures in a row
constexpr float kMapLeastWidth = 320, kLeastDrawing = 120;
constexpr float kMostCell = 64;  // a triangle of few rows need not fill the window

void large_text(const Fonts& fonts, const std::string& text) {
    ImGui::PushFont(fonts.large);
    ImGui::SetWindowFontScale(kLargePart);
    ImGui::TextUnformatted(text.c_str());
    ImGui::SetWindowFontScale(1);
    ImGui::PopFont();
}

void title(Widgets& ui, const MapPicture& picture, const Fonts& fonts) {
    const MapEntry& entry = map(picture.map());
    large_text(fonts, entry.takes_root ? fmt::format("{} · {}", entry.id, picture.root()) : std::string{entry.id});
    // The large figures are at the upper right.
    const ImGuiWindow* figures = ImGui::FindWindowByName(kFiguresWindow);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const bool beside = figures && figures->WasActive && figures->Pos.y + figures->Size.y > at.y;
    ImGui::BeginGroup();
    ImGui::PushTextWrapPos(beside ? figures->Pos.x - ImGui::GetWindowPos().x - kMapGap * ui.scale() : 0);
    ImGui::TextDisabled("%s", fmt::format("{}: {}", tr(entry.label), tr(entry.doc)).c_str());
    ImGui::PopTextWrapPos();
    ImGui::EndGroup();
}

/// `room`: width of both drawings; a caption wider than half of it is shortened to the number.
std::string grid_caption(const MapPicture& picture, float room) {
    const Grid grid = picture.grid();
    const std::string whole =
        picture.folded() ? phrase("launched: a line of {} blocks, folded", grouped(static_cast<std::int64_t>(grid.x)))
                         : phrase("launched: {} × {} blocks", grid.x, grid.y);
    if (ImGui::CalcTextSize(whole.c_str()).x <= room / 2) return whole;
    return phrase("{} blocks", grouped(static_cast<std::int64_t>(grid.count())));
}

std::string figure_text(std::uint64_t number) {
    return number < 1'000'000 ? grouped(number) : short_number(static_cast<double>(number));
}

using MapFigure = std::pair<std::string, std::string>;

std::array<MapFigure, 7> figures_of(const UiState& state, const MapPicture& picture) {
    const MapCounts& counts = picture.true_counts();
    const auto named = [](std::string number, std::string_view name) {
        return MapFigure{std::move(number), std::string{tr(name)}};
    };
    return {named(figure_text(state.status.bodies), "bodies n"),
            named(fmt::format("{}", state.maps.shown.tile_size), "tile size ρ"),
            named(figure_text(picture.rows()), "tile rows m"),
            named(figure_text(counts.launched), "launched"),
            named(figure_text(counts.useful), "useful"),
            named(figure_text(counts.wasted()), "wasted"),
            named(fmt::format("{:.{}f} %", 100 * counts.waste(), counts.wasted() > 0 && counts.waste() < 0.1 ? 2 : 1),
                  "waste")};
}

/// Number of figures that fit in a row without touching: all, or equal rows of fewer.
std::size_t figures_in_row(std::span<const MapFigure> all, const Fonts& fonts, float width, float scale) {
    float widest = 0;
    for (const auto& [number, name] : all) {
        const float large = fonts.large->CalcTextSizeA(kLargePart * fonts.large->FontSize, 1e9f, 0, number.c_str()).x;
        widest = std::max({widest, large, ImGui::CalcTextSize(name.c_str()).x});
    }
    const float each = widest + kBetweenFigures * scale;
    for (const std::size_t rows : {1u, 2u, 3u}) {
        const std::size_t in_row = (all.size() + rows - 1) / rows;
        if (each * static_cast<float>(in_row) <= width) return in_row;
    }
    return 2;
}

void figures(std::span<const MapFigure> all, std::size_t in_row, const Fonts& fonts, float width) {
    const float left = ImGui::GetCursorPosX();
    for (std::size_t first = 0; first < all.size(); first += in_row) {
        const float top = ImGui::GetCursorPosY();
        for (std::size_t i = first; i < std::min(first + in_row, all.size()); ++i) {
            const float x = left + width * static_cast<float>(i - first) / static_cast<float>(in_row);
            ImGui::SetCursorPos({x, top});
            large_text(fonts, all[i].first);
            ImGui::SetCursorPosX(x);
            ImGui::TextDisabled("%s", all[i].second.c_str());
        }
    }
}

std::string remark(const UiState& state, const MapPicture& picture) {
    std::string text;
    if (picture.drawn() != picture.rows())
        text = phrase("The counts are those of m = {}; the drawing shows the same map with {} rows. ",
                      grouped(picture.rows()), picture.drawn());
    if (const auto& wrong = picture.misplaced())
        text += phrase(
            "The root alone is wrong from row {} on: the block of tile ({}, {}) takes ({}, {}). Rows "
            "with such tiles are crossed out. ",
            grouped(wrong->wanted.row), wrong->wanted.row, wrong->wanted.col, wrong->found.row, wrong->found.col);
    if (state.maps.shown.chosen_by_engine)
        text += phrase("The current engine, {}, chose this map.", state.status.engine.engine);
    if (!state.maps.shown.walked)
        text += phrase("The current engine, {}, uses no thread map: this is what half would launch.",
                       state.status.engine.engine);
    return text;
}

/// Layout of the window, in pixels.
struct Layout {
    float left, width;   // of the window
    float inner;         // width between its paddings
    float height;        // of the drawings
    float cell, second;  // side of a block; distance from the grid's left end to the triangle
};

/// None if the screen is too small. The height is the same for every map, so that nothing jumps when the map changes.
std::optional<Layout> layout(const UiState& state, const MapPicture& picture, const Fonts& fonts, float scale) {
    const ImVec2 screen = ImGui::GetIO().DisplaySize, padding = ImGui::GetStyle().WindowPadding;
    const float gap = kMapGap * scale, between = kBetween * scale;
    Layout at{.left = sidebar_width(state, scale) + gap};
    at.width = screen.x - at.left - gap;
    at.inner = at.width - 2 * padding.x;
    // Title, captions, text for the block under the mouse, figures, a remark.
    const auto all = figures_of(state, picture);
    const float large = kLargePart * fonts.large->FontSize, line = ImGui::GetTextLineHeightWithSpacing();
    const std::size_t in_row = figures_in_row(all, fonts, at.inner, scale),
                      rows_of_figures = (all.size() + in_row - 1) / in_row;
    const float words =
        large + 5 * line + static_cast<float>(std::max<std::size_t>(1, rows_of_figures - 1)) * (large + line);
    at.height =
        std::min(screen.y - transport_height(state, scale) - kMessageStrip * scale - 3 * gap - 2 * padding.y - words,
                 0.55f * at.inner);  // two squares fit side by side
    if (at.width < kMapLeastWidth * scale || at.height < kLeastDrawing * scale) return std::nullopt;
    const auto columns = static_cast<float>(picture.columns()), rows = static_cast<float>(picture.drawn());
    const float lines = std::max(static_cast<float>(picture.lines()), rows);
    const float caption = ImGui::CalcTextSize(grid_caption(picture, at.inner).c_str()).x;
    at.cell = std::min({(at.inner - between) / (columns + rows), (at.inner - between - caption) / rows,
                        at.height / lines, kMostCell * scale});
    if (at.cell * columns > caption)  // the grid is wider than its caption
        at.cell = std::min({(at.inner - between) / (columns + rows), at.height / lines, kMostCell * scale});
    if (at.cell >= 5) at.cell = std::floor(at.cell);  // equal gaps
    at.second = std::max(at.cell * columns, caption) + between;
    return at;
}

void drawings(Widgets& ui, const MapPicture& picture, const Layout& at, const Fonts& fonts, UiRequests& requests) {
    const float start = ImGui::GetCursorPosX();
    ImGui::TextUnformatted(grid_caption(picture, at.inner).c_str());
    ImGui::SameLine(start + at.second);
    const std::string whole = phrase("triangle of {} rows of tiles", picture.drawn());
    const bool fits = ImGui::CalcTextSize(whole.c_str()).x <= ImGui::GetContentRegionAvail().x;
    ImGui::TextUnformatted(fits ? whole.c_str() : phrase("{} rows", picture.drawn()).c_str());
    const float top = ImGui::GetCursorPosY();
    const auto pick = map_canvas(ui, picture, at.cell, at.second);
    if (pick) requests.maps.hover = pick_text(picture, *pick);
    ImGui::SetCursorPosY(top + at.height);
    large_text(fonts, pick ? requests.maps.hover : std::string{" "});
}

constexpr int kOverlayFlags = ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove |
                              ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoFocusOnAppearing |
                              ImGuiWindowFlags_NoNav | ImGuiWindowFlags_NoBringToFrontOnFocus;

/// Blocks and triples of an engine that walks triples, in slices.
bool triples_overlay(Widgets& ui, const UiState& state, const Fonts& fonts) {
    const Map3Picture& picture = *state.maps.shown.picture3;
    const Map3Entry& entry = simplex3_map(picture.map());
    const ImVec2 screen = ImGui::GetIO().DisplaySize, padding = ImGui::GetStyle().WindowPadding;
    const float gap = kMapGap * ui.scale(), left = sidebar_width(state, ui.scale()) + gap;
    const float bottom = screen.y - kMessageStrip * ui.scale() - transport_height(state, ui.scale());
    const ImVec2 size{screen.x - left - gap, 0.72f * bottom};
    if (size.x < kMapLeastWidth * ui.scale() || size.y < kLeastDrawing * ui.scale()) return false;
    ImGui::SetNextWindowPos({left, bottom - size.y});
    ImGui::SetNextWindowSize(size);
    ImGui::SetNextWindowBgAlpha(0.8f);
    if (ImGui::Begin(kMap3Window, nullptr, kOverlayFlags)) {
        large_text(fonts, entry.takes_root ? fmt::format("{} · {}", entry.id, picture.root()) : std::string{entry.id});
        ui.note(translated(fmt::format("{}: {}", tr(entry.label), tr(entry.doc))));
        const Map3Counts all = counts(entry, state.maps.shown.layers);
        ui.note(phrase("m = {} layers of tiles: {} blocks launched, {} useful, {} wasted; drawn with {} layers",
                       grouped(state.maps.shown.layers), figure_text(all.launched), figure_text(all.useful),
                       figure_text(all.launched - all.useful), picture.side()));
        const ImVec2 at = ImGui::GetCursorScreenPos();
        const Pen pen{fonts.large, ImGui::GetTextLineHeight()};
        map3_drawing(pen, {at, {left + size.x - padding.x, bottom - padding.y}}, picture);
    }
    ImGui::End();
    return true;
}

}  // namespace

bool map_overlay(Widgets& ui, const UiState& state, const Fonts& fonts, UiRequests& requests) {
    const DarkColors dark;
    if (state.layout.panel == "maps" && state.maps.shown.picture3) return triples_overlay(ui, state, fonts);
    if (state.layout.panel != "maps" || !state.maps.shown.picture) return false;
    const MapPicture& picture = *state.maps.shown.picture;
    const auto at = layout(state, picture, fonts, ui.scale());
    if (!at) return false;
    const float bottom =
        ImGui::GetIO().DisplaySize.y - kMessageStrip * ui.scale() - transport_height(state, ui.scale());
    ImGui::SetNextWindowPos({at->left, bottom}, ImGuiCond_Always, {0, 1});
    ImGui::SetNextWindowSize({at->width, 0});
    ImGui::SetNextWindowBgAlpha(0.8f);
    if (ImGui::Begin(kMapWindow, nullptr, kOverlayFlags | ImGuiWindowFlags_AlwaysAutoResize)) {
        title(ui, picture, fonts);
        ImGui::Spacing();
        drawings(ui, picture, *at, fonts, requests);
        const auto all = figures_of(state, picture);
        figures(all, figures_in_row(all, fonts, at->inner, ui.scale()), fonts, at->inner);
        if (const std::string text = remark(state, picture); !text.empty()) ui.note(translated(text));
    }
    ImGui::End();
    return true;
}

}  // namespace orrery
