// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <imgui.h>
#include <imgui_internal.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <utility>

#include "app/picture/format.hpp"
#include "app/ui/setting_control.hpp"
#include "app/ui/words.hpp"
#include "app/window/command_table.hpp"
#include "app/window/engine/engine_choice.hpp"
#include "app/window/features.hpp"
#include "app/window/maps/map_canvas.hpp"
#include "app/window/maps/map_monitor.hpp"
#include "app/window/overlays.hpp"
#include "app/window/panels.hpp"
#include "core/engines/engine_settings.hpp"
#include "core/engines/map_choices.hpp"
#include "core/engines/menu.hpp"
#include "core/maps/maps.hpp"
#include "core/maps/maps3.hpp"

namespace orrery {
namespace {

constexpr float kBetweenFigures = 12;  // pixels at scale 1
constexpr float kBetween = 28;         // pixels at scale 1; between the two drawings
constexpr float kLargePart = 0.68f;    // of the large font: fits seven figures in a row
constexpr float kMapLeastWidth = 320, kLeastDrawing = 120;
constexpr float kMostCell = 64;  // a triangle of few rows need not fill the window

void large_text(const Fonts& fonts, const std::string& text) {
    ImGui::PushFont(fonts.large);
    ImGui::SetWindowFontScale(kLargePart);
    write_text(text);
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
    ImGui::PushTextWrapPos(beside ? figures->Pos.x - ImGui::GetWindowPos().x - kOverlayGap * ui.scale() : 0);
    write_dim(fmt::format("{}: {}", tr(entry.label), tr(entry.doc)));
    ImGui::PopTextWrapPos();
    ImGui::EndGroup();
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
    const float gap = kOverlayGap * scale, between = kBetween * scale;
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
    const float caption = text_width(grid_caption(picture, at.inner));
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
    write_text(grid_caption(picture, at.inner));
    ImGui::SameLine(start + at.second);
    const std::string whole = phrase("triangle of {} rows of tiles", picture.drawn());
    const bool fits = text_width(whole) <= ImGui::GetContentRegionAvail().x;
    write_text(fits ? whole : phrase("{} rows", picture.drawn()));
    const float top = ImGui::GetCursorPosY();
    const auto pick = map_canvas(ui, picture, at.cell, at.second);
    if (pick) requests.maps.hover = pick_text(picture, *pick);
    ImGui::SetCursorPosY(top + at.height);
    large_text(fonts, pick ? requests.maps.hover : std::string{" "});
}

constexpr int kOverlayFlags = kFloatingWindow | ImGuiWindowFlags_NoBringToFrontOnFocus;

/// Blocks and triples of an engine that walks triples, in slices.
bool triples_overlay(Widgets& ui, const UiState& state, const Fonts& fonts) {
    const Map3Picture& picture = *state.maps.shown.picture3;
    const Map3Entry& entry = simplex3_map(picture.map());
    const ImVec2 screen = ImGui::GetIO().DisplaySize, padding = ImGui::GetStyle().WindowPadding;
    const float gap = kOverlayGap * ui.scale(), left = sidebar_width(state, ui.scale()) + gap;
    const float bottom = screen.y - kMessageStrip * ui.scale() - transport_height(state, ui.scale());
    const ImVec2 size{screen.x - left - gap, 0.72f * bottom};
    if (size.x < kMapLeastWidth * ui.scale() || size.y < kLeastDrawing * ui.scale()) return false;
    place_window({left, bottom - size.y}, {0, 0}, 0.8f);
    ImGui::SetNextWindowSize(size);
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

/// For the half matrix, or for triples if the engine walks those: map, root if the map takes one, and tile size.
/// Returns whether `config` was edited.
bool map_knobs(Widgets& ui, EngineConfig& config) {
    bool edited = false;
    const bool triples = !walks_pairs(config) && !map_in_force(config).empty();
    for (const char* id : {triples ? "map3" : "map", "root", "rows"})
        edited |= setting_control(ui, setting(engine_settings(), id), config);
    return edited;
}

void counts(Widgets& ui, const UiState& state) {
    const MapPicture& picture = *state.maps.shown.picture;
    const MapCounts& all = picture.true_counts();
    ui.value("Tiles", phrase("m = {} rows of ρ = {} bodies", grouped(picture.rows()), state.maps.shown.tile_size),
             "For the current number of bodies: m = n / ρ, rounded up");
    ui.value("Launched", grouped(all.launched), "Blocks of the launch grid");
    ui.value("Useful", grouped(all.useful), "Blocks with a tile of the triangle: m (m + 1) / 2");
    ui.value("Wasted", fmt::format("{}, {:.2f} %", grouped(all.wasted()), 100 * all.waste()),
             "Blocks without a tile, and their fraction of all launched blocks");
}

/// The speed and the name, above a bar; the current engine in the accent colour. An engine that does not sum all pairs
/// shows its time, without a bar.
void bar(const TriedEngine& tried, float share, float scale) {
    const ImU32 color = ImGui::GetColorU32(tried.now ? ImGuiCol_PlotHistogram : ImGuiCol_TextDisabled);
    ImGui::PushStyleColor(ImGuiCol_Text, color);
    const std::string speed = tried.all_pairs ? short_number(tried.pairs_per_second) : milliseconds_text(tried.seconds);
    write_text(speed);
    ImGui::SameLine(62 * scale);
    write_text(tried.name);
    ImGui::PopStyleColor();
    if (!tried.all_pairs) return;
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float width = ImGui::GetContentRegionAvail().x, height = 5 * scale;
    ImDrawList& draw = *ImGui::GetWindowDrawList();
    draw.AddRectFilled(at, {at.x + width, at.y + height}, ImGui::GetColorU32(ImGuiCol_FrameBg));
    draw.AddRectFilled(at, {at.x + std::max(2.0f, share * width), at.y + height}, color);
    ImGui::Dummy({width, height});
}

void bars(Widgets& ui, const UiState& state, UiRequests& requests) {
    ui.heading("Pairs/s measured with this number of bodies");
    if (state.maps.tried.empty()) return ui.note("Wait for five evaluations, then try another map or engine.");
    double most = 0;
    for (const TriedEngine& tried : state.maps.tried)
        if (tried.all_pairs) most = std::max(most, tried.pairs_per_second);
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {4 * ui.scale(), 2 * ui.scale()});
    ImGui::SetWindowFontScale(0.87f);  // so that the longest names fit
    for (const TriedEngine& tried : state.maps.tried)
        bar(tried, most > 0 ? static_cast<float>(tried.pairs_per_second / most) : 0, ui.scale());
    ImGui::SetWindowFontScale(1);
    ImGui::PopStyleVar();
    if (ui.button("Clear", "Clears the list; the current engine is measured again", -1))
        requests.maps.forget_tried = true;
}

/// Whether `half` would refuse the map of this configuration for the current bodies.
bool refused(const UiState& state, const EngineConfig& config) {
    const MapEntry& entry = map(config.map);
    const auto side =
        static_cast<std::uint64_t>(config.tile_size > 0 ? config.tile_size : std::max(1, state.maps.shown.tile_size));
    return (state.status.bodies + side - 1) / side > exact_rows(entry, root(config.root).root, config.backend);
}

/// States what is wrong with the map shown, and offers an exact one.
void warning(Widgets& ui, const UiState& state, UiRequests& requests) {
    if (state.maps.shown.refused.empty()) return;
    ui.note(
        phrase("The engine refuses this map and keeps {}: {}.", state.requested.engine.map, state.maps.shown.refused));
    if (!ui.button("Use lambda", "The same map with integer correction, exact for any number of rows", -1)) return;
    EngineConfig config = state.requested.engine;
    config.map = "lambda";
    if (config != state.requested.engine) requests.ask(SetEngine{config});
    requests.maps.display = DisplayedMap{config.map, config.root};
}

void take_half(EngineConfig& config) { config = to_engine(config, "half").config; }

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
    place_window({at->left, bottom}, {0, 1}, 0.8f);
    ImGui::SetNextWindowSize({at->width, 0});
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

void map_panel(Widgets& ui, const UiState& state, UiRequests& requests) {
    EngineConfig config = state.requested.engine;
    if (!state.maps.shown.refused.empty() && state.maps.shown.picture)
        config.map = state.maps.shown.picture->map(), config.root = state.maps.shown.picture->root();
    bool edited = map_knobs(ui, config);
    if (edited && state.maps.shown.chosen_by_engine) take_half(config);  // `auto` would choose another map
    if (!walks_pairs(state.status.engine.config) && state.scene.ready &&
        ui.button("Compute with half",
                  "Switches to the engine that uses this map: each pair once, for both bodies. Key 2", -1))
        take_half(config), edited = true;
    if (edited && state.maps.shown.walked && refused(state, config))
        requests.maps.display = DisplayedMap{config.map, config.root};
    else if (edited)
        requests.ask(SetEngine{config});
    warning(ui, state, requests);
    if (state.maps.shown.picture && !state.maps.shown.picture3) counts(ui, state);
    if (!state.maps.shown.problem.empty()) ui.note(state.maps.shown.problem);
    bars(ui, state, requests);
}

namespace {

using namespace command_table;

void next_map(Window& window, int) {
    Messages& messages = window.core.messages;
    EngineConfig config = window.core.simulation.engine();
    if (map_in_force(config).empty()) return messages.notice("This engine uses no thread map; Half matrix does: key 2");
    const auto to_next = [](const auto& menu, std::string& id) {
        const auto now = std::ranges::find_if(menu, [&](const auto& entry) { return entry.id == id; });
        id = now == menu.end() || now + 1 == menu.end() ? menu.front().id : (now + 1)->id;
    };
    const bool pairs = walks_pairs(config);
    pairs ? to_next(maps(), config.map) : to_next(simplex3_maps(), config.map3);
    window.scenes.use_engine(config);
    const UiState& state = window.core.state;
    if (!pairs || !state.layout.panels || state.layout.panel != "maps")  // the page shows it in its title
        messages.notice(phrase("Map: {}", map_in_force(config)));
}

constexpr auto kMapsCommands = std::to_array<WindowCommand>({
    line(Command::kMap, next_map, GLFW_KEY_M, "M", "next thread map"),
});

constexpr auto kMapsPanels = std::to_array<PanelEntry>({
    {"maps", PanelGroup::kCompute, "Maps", map_panel, "How pairs of bodies are assigned to thread blocks"},
});

nlohmann::json map_json(const MapState& map) {
    if (map.picture3)
        return {{"map", std::string{map.picture3->map()}}, {"layers", map.layers}, {"drawn", map.picture3->side()}};
    if (!map.picture) return {};
    const MapPicture& picture = *map.picture;
    const MapCounts& counts = picture.true_counts();
    return {{"map", std::string{picture.map()}},
            {"rows", picture.rows()},
            {"drawn", picture.drawn()},
            {"launched", counts.launched},
            {"useful", counts.useful},
            {"wasted", counts.wasted()},
            {"columns", picture.columns()},
            {"lines", picture.lines()},
            {"walked", map.walked},
            {"refused", map.refused},
            {"wrong_from", picture.misplaced() ? nlohmann::json(picture.misplaced()->wanted.row) : nlohmann::json{}}};
}

nlohmann::json tried_json(const std::vector<TriedEngine>& all) {
    nlohmann::json list = nlohmann::json::array();
    for (const TriedEngine& tried : all)
        list.push_back({{"name", tried.name},
                        {"pairs_per_second", tried.pairs_per_second},
                        {"all_pairs", tried.all_pairs},
                        {"now", tried.now}});
    return list;
}

void draw_map(Window& w, DrawnFrame& frame) {
    frame.map = frame.state.layout.panels && map_overlay(frame.ui, frame.state, w.imgui.fonts(), frame.requests);
}

constexpr auto kMapsOverlays = std::to_array<Overlay>({
    {Layer::kDrawing, draw_map},
});

std::unique_ptr<Feature> make_maps(Window& w) { return std::make_unique<MapsControl>(w.core); }

void describe_maps(nlohmann::json& map, const UiState& state) {
    map["tile_size"] = state.maps.shown.tile_size;
    map["map_shown"] = map_json(state.maps.shown);
    map["map_hover"] = state.maps.hover;
    map["tried"] = tried_json(state.maps.tried);
}

}  // namespace

FeatureEntry maps_feature() {
    return {.panels = kMapsPanels,
            .commands = kMapsCommands,
            .overlays = kMapsOverlays,
            .describe = describe_maps,
            .make = make_maps};
}

}  // namespace orrery
