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
#include "app/ui/words.hpp"
#include "app/window/lab/lab_drawings.hpp"
#include "app/window/maps/map_canvas.hpp"
#include "app/window/maps/tile_lesson.hpp"
#include "app/window/maps/tried_engines.hpp"
#include "app/window/overlays.hpp"
#include "app/window/panels.hpp"
#include "core/maps/maps.hpp"

namespace orrery {
namespace {

constexpr float kBetweenFigures = 12;  // pixels at scale 1
constexpr float kBetween = 28;         // pixels at scale 1; between the two drawings
constexpr float kLargePart = 0.68f;    // of the large font: fits seven figures in a row
constexpr float kMapLeastWidth = 320, kLeastDrawing = 80, kLowDrawing = 140;
constexpr float kMostCell = 64;       // a triangle of few rows need not fill the window
constexpr float kLongestWork = 1000;  // width of the longest arithmetic of a block, in pixels at scale 1
constexpr float kPartBesideTile = 0.56f, kPartBesideFigures = 0.7f;  // of the width, for launch and triangle
constexpr float kMapOpacity = 0.94f;
constexpr float kFading = 0.4f;  // seconds for which an idle block of the walk stays red

void large_text(const Fonts& fonts, const std::string& text) {
    ImGui::PushFont(fonts.large);
    ImGui::SetWindowFontScale(kLargePart);
    write_text(text);
    ImGui::SetWindowFontScale(1);
    ImGui::PopFont();
}

/// Right end of text beside the large figures, which are at the upper right, as a position in the window; 0: its edge.
float end_of_text(float scale) {
    const ImGuiWindow* figures = ImGui::FindWindowByName(kFiguresWindow);
    const bool beside =
        figures && figures->WasActive && figures->Pos.y + figures->Size.y > ImGui::GetCursorScreenPos().y;
    return beside ? figures->Pos.x - ImGui::GetWindowPos().x - kOverlayGap * scale : 0;
}

void dim_lines(const std::string& text, float end) {
    ImGui::PushTextWrapPos(end);
    write_dim(text);
    ImGui::PopTextWrapPos();
}

std::string name_with_root(const MapPicture& picture) {
    const MapEntry& entry = map(picture.map());
    const std::string name{tr(entry.title)};
    return entry.takes_root ? fmt::format("{} · {}", name, picture.root()) : name;
}

void title(const MapPicture& picture, const Fonts& fonts, float scale, bool presenter) {
    const MapEntry& entry = map(picture.map());
    large_text(fonts, name_with_root(picture));
    const float end = end_of_text(scale);
    if (!presenter) dim_lines(std::string{tr(entry.doc)}, end);
    dim_lines(std::string{tr(entry.formula)}, end);
}

/// `room`: width of both drawings; a caption wider than half of it is shortened to the number.
std::string grid_caption(const MapPicture& picture, float room) {
    const Grid grid = picture.grid();
    const std::string whole = picture.folded() ? phrase("launched: a line of {} blocks, folded", grouped(grid.x))
                                               : phrase("launched: {} × {} blocks", grid.x, grid.y);
    if (text_width(whole) <= room / 2) return whole;
    return phrase("{} blocks", grouped(grid.count()));
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
        widest = std::max({widest, large, text_width(name)});
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
            write_dim(all[i].second);
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
        text += phrase("The current engine, {}, chose this map.", state.status.engine.config.engine);
    if (!state.maps.shown.walked)
        text += phrase("The current engine, {}, uses no thread map: this is what half would launch.",
                       state.status.engine.config.engine);
    return text;
}

/// In the presenter mode the figures are beside the drawings, which are then higher; a pair of maps has its own counts.
enum class FiguresPlace { kBelow, kBeside, kNone };
FiguresPlace figures_place(const UiState& state) {
    const auto& lesson = state.own.of<MapLesson>();
    if (lesson.picture) return FiguresPlace::kNone;
    if (!state.layout.presenter) return FiguresPlace::kBelow;
    return lesson.drawing == MapDrawing::kTile ? FiguresPlace::kNone : FiguresPlace::kBeside;
}

/// The figures one below the other, and the speeds measured last.
void figures_beside(std::span<const MapFigure> all, const UiState& state, const Fonts& fonts, float width,
                    float scale) {
    const float left = ImGui::GetCursorPosX();
    const float lower = 0.8f * (kLargePart * fonts.large->FontSize - ImGui::GetTextLineHeight());
    for (const MapFigure& figure : all) {
        const float top = ImGui::GetCursorPosY();
        ImGui::SetCursorPosX(left);
        large_text(fonts, figure.first);
        const float below = ImGui::GetCursorPosY();
        ImGui::SetCursorPos({left + 0.45f * width, top + lower});
        write_dim(figure.second);
        ImGui::SetCursorPosY(below);
    }
    ImGui::Spacing();
    ImGui::SetCursorPosX(left);
    ImGui::BeginGroup();
    speed_bars(state.maps.tried, 3, width, scale);
    ImGui::EndGroup();
}

/// Layout of the window, in pixels.
struct Layout {
    float left, width;   // of the window
    float inner;         // width between its paddings
    float height;        // of the drawings
    float cell, second;  // side of a block; distance from a grid's left end to its triangle
    float column;        // width of the drawings of one map
    float work;          // height of the text for a block
};

/// The largest grid and triangle of both pictures.
BoardShape union_of(const MapPicture& a, const MapPicture* b) {
    BoardShape shape = shape_of(a);
    if (!b) return shape;
    return {std::max(shape.columns, b->columns()), std::max(shape.lines, b->lines()), shape.rows};
}

/// Text for a block: its tile, and the arithmetic in as many lines as the longest needs.
float work_height(const Fonts& fonts, float room, float scale) {
    const float lines = std::clamp(std::ceil(kLongestWork * scale / room), 1.0f, 4.0f);
    return kLargePart * fonts.large->FontSize + (lines + 0.5f) * ImGui::GetTextLineHeightWithSpacing();
}

/// None if the screen is too small. The height is the same for every map, so that nothing jumps when the map changes.
std::optional<Layout> layout(const UiState& state, const MapPicture& picture, const MapPicture* second,
                             const Fonts& fonts, float scale) {
    const ImVec2 screen = ImGui::GetIO().DisplaySize, padding = ImGui::GetStyle().WindowPadding;
    const float gap = kOverlayGap * scale, between = kBetween * scale;
    const bool beside = second && state.own.of<MapLesson>().pair == MapPair::kBeside;
    Layout at{.left = sidebar_width(state, scale) + gap};
    at.width = screen.x - at.left - gap;
    at.inner = at.width - 2 * padding.x;
    const bool tile = !second && state.own.of<MapLesson>().drawing == MapDrawing::kTile;
    const FiguresPlace place = figures_place(state);
    at.column = beside                           ? (at.inner - between) / 2
                : tile                           ? kPartBesideTile * at.inner
                : place == FiguresPlace::kBeside ? kPartBesideFigures * at.inner
                                                 : at.inner;
    at.work = work_height(fonts, second ? at.inner / 2 : at.inner, scale);
    const auto all = figures_of(state, picture);
    const float large = kLargePart * fonts.large->FontSize, line = ImGui::GetTextLineHeightWithSpacing();
    const std::size_t in_row = figures_in_row(all, fonts, at.inner, scale),
                      rows_of_figures = place == FiguresPlace::kBelow ? (all.size() + in_row - 1) / in_row : 0;
    // Title, description, formula, captions, figures with names, a remark.
    const float words =
        large + (state.layout.presenter ? 4 : 6) * line + static_cast<float>(rows_of_figures) * (large + line);
    const float room =
        screen.y - transport_height(state, scale) - kMessageStrip * scale - 3 * gap - 2 * padding.y - words;
    // On a low screen the drawing matters more than all lines of the arithmetic.
    at.work = std::min(at.work, std::max(large + 1.5f * line, room - kLowDrawing * scale));
    at.height = std::min(room - at.work, 0.55f * at.inner);  // two squares fit side by side
    if (at.width < kMapLeastWidth * scale || at.height < kLeastDrawing * scale) return std::nullopt;
    const BoardShape shape = union_of(picture, second);
    const auto columns = static_cast<float>(shape.columns), rows = static_cast<float>(shape.rows);
    const float lines = std::max(static_cast<float>(shape.lines), rows);
    const float caption = second ? 0 : text_width(grid_caption(picture, at.inner));
    at.cell = std::min({(at.column - between) / (columns + rows), (at.column - between - caption) / rows,
                        at.height / lines, kMostCell * scale});
    if (at.cell * columns > caption)  // the grid is wider than its caption
        at.cell = std::min({(at.column - between) / (columns + rows), at.height / lines, kMostCell * scale});
    if (at.cell >= 5) at.cell = std::floor(at.cell);  // equal gaps
    at.second = std::max(at.cell * columns, caption) + between;
    if (second) at.height = std::min(at.height, at.cell * lines);  // leaves the large figures above free
    return at;
}

/// The block of the walk, or none before it begins and after the last block.
std::optional<MapPick> walked_pick(const MapWalk& walk, std::uint32_t blocks) {
    if (!walk.on || walk.at < 0 || walk.at >= blocks) return std::nullopt;
    return MapPick{walk.block()};
}

MapMarks marks_of(const MapWalk& walk, std::uint32_t blocks, std::optional<MapPick> hovered) {
    MapMarks marks;
    if (walk.on) marks.walked = walk.at + 1, marks.fading = kFading * walk.speed;
    marks.lit = hovered ? hovered : walked_pick(walk, blocks);
    return marks;
}

/// Tile and arithmetic of a block, in a column of this width.
template <class Picture>
void work_of(const Picture& picture, std::optional<MapPick> pick, const Fonts& fonts, float width) {
    const float left = ImGui::GetCursorPosX();
    const std::string text = pick ? pick_text(picture, *pick) : std::string{" "};
    const float large = fonts.large->CalcTextSizeA(kLargePart * fonts.large->FontSize, 1e9f, 0, text.c_str()).x;
    if (large <= width)
        large_text(fonts, text);
    else
        write_wrapped(text, left + width);
    ImGui::SetCursorPosX(left);
    if (pick) write_wrapped(worked_text(picture, *pick), left + width);
}

/// "54 of 256 blocks", "all 136 blocks done".
std::string walk_text(const MapWalk& walk, std::uint32_t blocks) {
    if (!walk.on) return " ";
    if (walk.at >= blocks) return phrase("all {} blocks done", grouped(blocks));
    return phrase("{} of {} blocks", grouped(walk.block() + 1), grouped(blocks));
}

std::string counts_text(const MapPicture& picture) {
    const MapCounts& counts = picture.true_counts();
    return phrase("{} launched, {} useful, {} idle: {:.1f} % waste", figure_text(counts.launched),
                  figure_text(counts.useful), figure_text(counts.wasted()), 100 * counts.waste());
}

/// "λ launches 136 blocks and the bounding box 256: 1.88 times as many."
std::string comparison_text(const MapPicture& a, const MapPicture& b) {
    const bool first = a.true_counts().launched <= b.true_counts().launched;
    const MapPicture &few = first ? a : b, &many = first ? b : a;
    const auto name = [](const MapPicture& picture) { return tr(map(picture.map()).title); };
    const double times =
        static_cast<double>(many.true_counts().launched) / static_cast<double>(few.true_counts().launched);
    if (times == 1) return phrase("Both launch {} blocks.", figure_text(few.true_counts().launched));
    return phrase("{} launches {} blocks, {} {}: {:.2f} times as many; m = {}.", name(few),
                  figure_text(few.true_counts().launched), name(many), figure_text(many.true_counts().launched), times,
                  grouped(few.rows()));
}

struct Hover {
    std::optional<MapPick> first, second;  // of either map
};

/// The block that has the same tile in the other map.
std::optional<MapPick> same_tile(const MapPicture& from, std::optional<MapPick> pick, const MapPicture& to) {
    if (!pick || !from.useful(pick->block)) return std::nullopt;
    return MapPick{to.block_of(from.tile(pick->block))};
}

void head(const MapPicture& picture, const Fonts& fonts, float width) {
    const float left = ImGui::GetCursorPosX();
    ImGui::PushFont(fonts.bold);
    write_wrapped(name_with_root(picture), left + width);
    ImGui::PopFont();
    ImGui::SetCursorPosX(left);
    write_wrapped(counts_text(picture), left + width);
    ImGui::SetCursorPosX(left);
}

constexpr BoardNames kSecondBoards{"Second launch grid", "Second triangle"};

Hover beside(Widgets& ui, const MapPicture& a, const MapPicture& b, const Layout& at, const MapWalk& walk) {
    const float left = ImGui::GetCursorPosX(), top = ImGui::GetCursorPosY();
    const float right = left + at.column + kBetween * ui.scale();
    const MapPlaces first = map_places(ui, shape_of(a), at.cell, at.second);
    ImGui::SetCursorPos({right, top});
    const MapPlaces second = map_places(ui, shape_of(b), at.cell, at.second, kSecondBoards);
    Hover hover{pick_under_mouse(first, a), pick_under_mouse(second, b)};
    if (hover.first)
        hover.second = same_tile(a, hover.first, b);
    else if (hover.second)
        hover.first = same_tile(b, hover.second, a);
    draw_map(first, a, marks_of(walk, a.blocks(), hover.first), ui.scale());
    draw_map(second, b, marks_of(walk, b.blocks(), hover.second), ui.scale());
    ImGui::SetCursorPosX(left);
    return hover;
}

/// The first map left of the divider of each board, the second right of it. Dragging a board moves the divider.
Hover wiped(Widgets& ui, const MapPicture& a, const MapPicture& b, const Layout& at, const MapLesson& lesson,
            UiRequests& requests) {
    const BoardShape shape = union_of(a, &b);
    const MapPlaces places = map_places(ui, shape, at.cell, at.second);
    const float wide = at.cell * static_cast<float>(shape.columns), tall = at.cell * static_cast<float>(shape.lines),
                side = at.cell * static_cast<float>(shape.rows);
    const ImVec2 mouse = ImGui::GetMousePos();
    const bool in_grid = mouse.x < places.triangle.x;
    const float share = in_grid ? (mouse.x - places.grid.x) / wide : (mouse.x - places.triangle.x) / side;
    if (places.pressed)
        requests.change([share](UiState& now) { now.own.of<MapLesson>().divider = std::clamp(share, 0.0f, 1.0f); });
    const bool first_hovered = share < lesson.divider;
    const auto pick = pick_under_mouse(places, first_hovered ? a : b);
    const Hover hover = first_hovered ? Hover{pick, same_tile(a, pick, b)} : Hover{same_tile(b, pick, a), pick};
    ImDrawList& draw = *ImGui::GetWindowDrawList();
    const float out = 3 * ui.scale();
    const auto part = [&](ImVec2 low, float width, float height, bool first) {
        const float middle = low.x + lesson.divider * width;
        draw.PushClipRect({first ? low.x - out : middle, low.y - out},
                          {first ? middle : low.x + width + out, low.y + height + out}, true);
        const MapPicture& picture = first ? a : b;
        draw_map(places, picture, marks_of(lesson.walk, picture.blocks(), first ? hover.first : hover.second),
                 ui.scale());
        draw.PopClipRect();
    };
    const auto divided = [&](ImVec2 low, float width, float height) {
        part(low, width, height, true), part(low, width, height, false);
        const float middle = low.x + lesson.divider * width;
        draw.AddLine({middle, low.y - out}, {middle, low.y + height + out}, IM_COL32_WHITE, 2 * ui.scale());
    };
    divided(places.grid, wide, tall);
    divided(places.triangle, side, side);
    return hover;
}

/// Both maps: heads, drawings, the arithmetic of both, and a sentence.
void pair_of_maps(Widgets& ui, const MapPicture& a, const MapPicture& b, const UiState& state, const Layout& at,
                  const Fonts& fonts, UiRequests& requests) {
    const auto& lesson = state.own.of<MapLesson>();
    const float left = ImGui::GetCursorPosX(), half = at.inner / 2, room = half - kBetween * ui.scale();
    const float other = left + half + kBetween * ui.scale() / 2;
    const auto twice = [&](const auto& one) {
        const float top = ImGui::GetCursorPosY();
        one(a, true);
        const float low = ImGui::GetCursorPosY();
        ImGui::SetCursorPos({other, top});
        one(b, false);
        ImGui::SetCursorPos({left, std::max(low, ImGui::GetCursorPosY())});
    };
    const float end = end_of_text(ui.scale());
    dim_lines(comparison_text(a, b), end);
    const float words = ImGui::GetCursorPosY();
    twice([&](const MapPicture& picture, bool) { head(picture, fonts, room); });
    twice([&](const MapPicture& picture, bool) { write_dim(walk_text(lesson.walk, picture.blocks())); });
    const float top = std::max(ImGui::GetCursorPosY(), words + 3 * ImGui::GetTextLineHeightWithSpacing());
    ImGui::SetCursorPosY(top);
    const Hover hover =
        lesson.pair == MapPair::kBeside ? beside(ui, a, b, at, lesson.walk) : wiped(ui, a, b, at, lesson, requests);
    ImGui::SetCursorPos({left, top + at.height});
    const auto pick_of = [&](const MapPicture& picture, std::optional<MapPick> hovered) {
        return hovered || hover.first || hover.second ? hovered : walked_pick(lesson.walk, picture.blocks());
    };
    const auto first = pick_of(a, hover.first), second = pick_of(b, hover.second);
    twice([&](const MapPicture& picture, bool is_first) {
        const float from = ImGui::GetCursorPosX();
        ImGui::BeginGroup();
        work_of(picture, is_first ? first : second, fonts, room);
        ImGui::EndGroup();
        ImGui::SetCursorPosX(from);
    });
    ImGui::SetCursorPosY(std::max(ImGui::GetCursorPosY(), top + at.height + at.work));
    if (first) requests.maps.hover = pick_text(a, *first), requests.maps.worked = worked_text(a, *first);
}

/// The loop of a block over its tile, which takes as long as the walk stays at the block.
void tile_of(const MapPicture& picture, const UiState& state, std::optional<MapPick> lit, const Box& box) {
    const auto& tile = state.own.of<TileLesson>();
    const MapWalk& walk = state.own.of<MapLesson>().walk;
    const Pen pen{ImGui::GetFont(), ImGui::GetFontSize()};
    const auto say = [&](const std::string& text) { pen.wrapped(box.low, lab_colors::kDim, text, box.width()); };
    if (!lit) return say(phrase("Point at a block, or play the walk: here its tile is computed, step by step."));
    if (!picture.useful(lit->block)) return say(phrase("This block has no tile: it returns at once."));
    const bool walks = walk.on && walked_pick(walk, picture.blocks()) == lit;
    const int turn = tile.turn_at(walks ? walk.part() : 0.5);
    const Tile at = picture.tile(lit->block);
    pen.text(box.low, lab_colors::kText,
             phrase("step {} of {}; {} bodies a side, drawn with {}", turn, tile.turns() - 1,
                    state.maps.shown.tile_size, TileLesson::kThreads));
    tile_drawing(pen, {{box.low.x, box.low.y + 1.5f * pen.size()}, box.high}, tile, turn,
                 tile.loop == TileLoop::kHalf && at.row == at.col);
}

void one_map(Widgets& ui, const MapPicture& picture, const UiState& state, const Layout& at, const Fonts& fonts,
             UiRequests& requests) {
    const MapWalk& walk = state.own.of<MapLesson>().walk;
    const float start = ImGui::GetCursorPosX();
    write_text(walk.on ? walk_text(walk, picture.blocks()) : grid_caption(picture, at.inner));
    ImGui::SameLine(start + at.second);
    const std::string whole = phrase("triangle of {} rows of tiles", picture.drawn());
    const bool fits = text_width(whole) <= ImGui::GetContentRegionAvail().x;
    write_text(fits ? whole : phrase("{} rows", picture.drawn()));
    const float top = ImGui::GetCursorPosY();
    const MapPlaces places = map_places(ui, shape_of(picture), at.cell, at.second);
    const auto hovered = pick_under_mouse(places, picture);
    const MapMarks marks = marks_of(walk, picture.blocks(), hovered);
    draw_map(places, picture, marks, ui.scale());
    if (state.own.of<MapLesson>().drawing == MapDrawing::kTile) {
        const ImVec2 window = ImGui::GetWindowPos();
        const float left = window.x + start + at.column + kBetween * ui.scale() / 2;
        const ImGuiWindow* large = ImGui::FindWindowByName(kFiguresWindow);
        const float covered = large && large->WasActive ? large->Pos.y + large->Size.y : 0;
        tile_of(picture, state, marks.lit,
                {{left, std::max(window.y + top, covered)}, {window.x + start + at.inner, window.y + top + at.height}});
    }
    ImGui::SetCursorPosY(top + at.height);
    work_of(picture, marks.lit, fonts, at.inner);
    ImGui::SetCursorPosY(std::max(ImGui::GetCursorPosY(), top + at.height + at.work));
    if (marks.lit)
        requests.maps.hover = pick_text(picture, *marks.lit), requests.maps.worked = worked_text(picture, *marks.lit);
    const auto all = figures_of(state, picture);
    const ImVec2 below = ImGui::GetCursorPos();
    const FiguresPlace place = figures_place(state);
    if (place == FiguresPlace::kBelow) figures(all, figures_in_row(all, fonts, at.inner, ui.scale()), fonts, at.inner);
    if (place != FiguresPlace::kBeside) return;
    const float left = at.column + kBetween * ui.scale();
    ImGui::SetCursorPos({start + left, top});
    figures_beside(all, state, fonts, at.inner - left, ui.scale());
    ImGui::SetCursorPos(below);
}

constexpr int kOverlayFlags = kFloatingWindow | ImGuiWindowFlags_NoBringToFrontOnFocus;

/// Blocks and triples of an engine that walks triples, in slices.
bool triples_overlay(Widgets& ui, const UiState& state, const Fonts& fonts, UiRequests& requests) {
    const Map3Picture& picture = *state.maps.shown.picture3;
    const Map3Entry& entry = simplex3_map(picture.map());
    const ImVec2 screen = ImGui::GetIO().DisplaySize, padding = ImGui::GetStyle().WindowPadding;
    const float gap = kOverlayGap * ui.scale(), left = sidebar_width(state, ui.scale()) + gap;
    const float bottom = screen.y - kMessageStrip * ui.scale() - transport_height(state, ui.scale());
    const ImVec2 size{screen.x - left - gap, 0.8f * bottom};
    if (size.x < kMapLeastWidth * ui.scale() || size.y < kLeastDrawing * ui.scale()) return false;
    place_window({left, bottom - size.y}, {0, 0}, kMapOpacity);
    ImGui::SetNextWindowSize(size);
    if (ImGui::Begin(kMap3Window, nullptr, kOverlayFlags)) {
        const std::string name{tr(entry.title)};
        large_text(fonts, entry.takes_root ? fmt::format("{} · {}", name, picture.root()) : name);
        const float end = end_of_text(ui.scale());
        dim_lines(std::string{tr(entry.doc)}, end);
        dim_lines(std::string{tr(entry.formula)}, end);
        const Map3Counts all = counts(entry, state.maps.shown.layers);
        ui.note(phrase("m = {} layers of tiles: {} blocks launched, {} useful, {} wasted; drawn with {} layers",
                       grouped(state.maps.shown.layers), figure_text(all.launched), figure_text(all.useful),
                       figure_text(all.launched - all.useful), picture.side()));
        const MapWalk& walk = state.own.of<MapLesson>().walk;
        const ImVec2 at = ImGui::GetCursorScreenPos();
        const float inner = size.x - 2 * padding.x, work = work_height(fonts, inner, ui.scale());
        const Pen pen{fonts.large, ImGui::GetTextLineHeight()};
        const MapMarks marks = marks_of(walk, picture.blocks(), std::nullopt);
        const auto hovered = map3_drawing(pen, {at, {at.x + inner, bottom - padding.y - work}}, picture, marks);
        const auto lit = hovered ? hovered : marks.lit;
        ImGui::SetCursorScreenPos({at.x, bottom - padding.y - work});
        work_of(picture, lit, fonts, inner);
        if (lit) requests.maps.hover = pick_text(picture, *lit), requests.maps.worked = worked_text(picture, *lit);
    }
    ImGui::End();
    return true;
}

}  // namespace

bool map_overlay(Widgets& ui, const UiState& state, const Fonts& fonts, UiRequests& requests) {
    const DarkColors dark;
    if (state.layout.panel == "maps" && state.maps.shown.picture3) return triples_overlay(ui, state, fonts, requests);
    if (state.layout.panel != "maps" || !state.maps.shown.picture) return false;
    const MapPicture& picture = *state.maps.shown.picture;
    const MapPicture* second = state.own.of<MapLesson>().picture.get();
    const auto at = layout(state, picture, second, fonts, ui.scale());
    if (!at) return false;
    const float bottom =
        ImGui::GetIO().DisplaySize.y - kMessageStrip * ui.scale() - transport_height(state, ui.scale());
    place_window({at->left, bottom}, {0, 1}, kMapOpacity);
    ImGui::SetNextWindowSize({at->width, 0});
    if (ImGui::Begin(kMapWindow, nullptr, kOverlayFlags | ImGuiWindowFlags_AlwaysAutoResize)) {
        if (second) {
            pair_of_maps(ui, picture, *second, state, *at, fonts, requests);
        } else {
            title(picture, fonts, ui.scale(), state.layout.presenter);
            ImGui::Spacing();
            one_map(ui, picture, state, *at, fonts, requests);
        }
        const std::string text = remark(state, picture);
        if (!text.empty() && !state.layout.presenter) ui.note(translated(text));
    }
    ImGui::End();
    return true;
}

}  // namespace orrery
