// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <imgui.h>
#include <imgui_internal.h>

#include <algorithm>
#include <array>
#include <functional>
#include <initializer_list>
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
#include "app/window/maps/tile_lesson.hpp"
#include "app/window/maps/tried_engines.hpp"
#include "app/window/overlays.hpp"
#include "app/window/panels.hpp"
#include "core/engines/choices.hpp"
#include "core/engines/engine_settings.hpp"
#include "core/engines/menu.hpp"
#include "core/maps/maps.hpp"

namespace orrery {
namespace {

/// Description, formula and source of a map.
std::string tip_of(const MapEntry& entry) {
    return translated(fmt::format("{}\n{}\n{}", tr(entry.doc), tr(entry.formula), entry.source));
}

/// For the half matrix, or for triples if the engine walks those: map, root if the map takes one, and tile size.
/// Returns whether `config` was edited.
bool map_knobs(Widgets& ui, EngineConfig& config) {
    bool edited = false;
    const bool triples = !walks_pairs(config) && !map_in_force(config).empty();
    for (const char* id : {triples ? "map3" : "map", "root", "rows"})
        edited |= setting_control(ui, setting(engine_settings(), id), config);
    if (edited) config.kernel.clear();  // a thread map of a kernel file is replaced
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

void bars(Widgets& ui, const UiState& state, UiRequests& requests) {
    ui.heading("Pairs/s measured with this number of bodies");
    if (state.maps.tried.empty()) return ui.note("Wait for five evaluations, then try another map or engine.");
    ImGui::SetWindowFontScale(0.87f);  // so that the longest names fit
    speed_bars(state.maps.tried, state.maps.tried.size(), ImGui::GetContentRegionAvail().x, ui.scale());
    ImGui::SetWindowFontScale(1);
    if (ui.button("Clear", "Clears the list; the current engine is measured again", -1))
        requests.maps.forget_tried = true;
}

/// True if `half` would refuse the map of this configuration for the current bodies.
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

/// One button for each number.
void number_tabs(Widgets& ui, const char* name, std::initializer_list<int> numbers, int now, const char* tip,
                 const std::function<void(int)>& choose) {
    ui.name(name);
    bool first = true;
    for (const int number : numbers) {
        if (!std::exchange(first, false)) ImGui::SameLine();
        ImGui::PushID(name);
        if (ui.tab(fmt::format("{} = {}", name, number), number == now, tip)) choose(number);
        ImGui::PopID();
    }
}

/// Controls: the drawing shows the launch or the loop of a block, and the division of that loop.
void tile_choices(Widgets& ui, const UiState& state, UiRequests& requests) {
    if (!state.maps.shown.picture || state.maps.shown.picture3) return;
    const MapDrawing drawing = state.own.of<MapLesson>().drawing;
    const auto& tile = state.own.of<TileLesson>();
    const auto draw = [&](MapDrawing wanted) {
        requests.change([wanted](UiState& now) { now.own.of<MapLesson>().drawing = wanted; });
    };
    const auto change = [&](auto set) { requests.change([set](UiState& now) { set(now.own.of<TileLesson>()); }); };
    ui.name("Drawing");
    if (ui.tab("Blocks", drawing == MapDrawing::kBlocks, "The launch and the triangle")) draw(MapDrawing::kBlocks);
    ImGui::SameLine();
    if (ui.tab("Inside a tile", drawing == MapDrawing::kTile,
               "What the block of the walk does with its tile; not with a second map"))
        draw(MapDrawing::kTile);
    if (drawing != MapDrawing::kTile) return;
    ui.name("Loop");
    if (ui.tab("Half", tile.loop == TileLoop::kHalf, "Each pair once: the reactions travel round the rows"))
        change([](TileLesson& lesson) { lesson.loop = TileLoop::kHalf; });
    ImGui::SameLine();
    if (ui.tab("All rows", tile.loop == TileLoop::kRows,
               "Every row with every column of a tile in shared memory (L. Nyland and others, GPU Gems 3, chapter 31, "
               "2007)"))
        change([](TileLesson& lesson) { lesson.loop = TileLoop::kRows; });
    if (tile.loop != TileLoop::kRows) return;
    number_tabs(ui, "u", {1, 2, 4}, tile.u, "Columns per step: the unrolling of the loop",
                [&](int number) { change([number](TileLesson& lesson) { lesson.u = number; }); });
    number_tabs(ui, "q", {1, 2}, tile.q, "Threads per row: each takes its own columns",
                [&](int number) { change([number](TileLesson& lesson) { lesson.q = number; }); });
    number_tabs(ui, "k", {1, 2}, tile.k, "Rows per thread, held in registers",
                [&](int number) { change([number](TileLesson& lesson) { lesson.k = number; }); });
}

/// The second map, and the walk through the blocks.
void lesson(Widgets& ui, const UiState& state, UiRequests& requests) {
    const auto& now = state.own.of<MapLesson>();
    const auto change = [&](auto set) {
        requests.change([set](UiState& changed) { set(changed.own.of<MapLesson>()); });
    };
    if (state.maps.shown.picture && !state.maps.shown.picture3) {
        const std::string_view shown = now.second.empty() ? std::string_view{"none"} : map(now.second).title;
        if (ui.begin_combo("Second map", shown, "Drawn with the map of the engine, of the same bodies and tiles")) {
            if (ui.choice("none", now.second.empty(), "Only the map of the engine"))
                change([](MapLesson& lesson) { lesson.second.clear(); });
            for (const MapEntry& entry : maps())
                if (ui.choice(entry.title, entry.id == now.second, tip_of(entry)))
                    change([id = std::string{entry.id}](MapLesson& lesson) { lesson.second = id; });
            ui.end_combo();
        }
        if (!now.second.empty()) {
            ui.name("Both maps");
            if (ui.tab("Side by side", now.pair == MapPair::kBeside, "Two drawings"))
                change([](MapLesson& lesson) { lesson.pair = MapPair::kBeside; });
            ImGui::SameLine();
            if (ui.tab("Wiped", now.pair == MapPair::kWiped,
                       "Both maps in one drawing; drag to move the line between them"))
                change([](MapLesson& lesson) { lesson.pair = MapPair::kWiped; });
        }
    }
    tile_choices(ui, state, requests);
    const double blocks = now.blocks(state.maps.shown);
    const float width = column_width(3);
    if (ui.button(now.walk.playing ? "Pause walk" : "Walk",
                  {.role = now.walk.playing ? ButtonRole::kPlain : ButtonRole::kPrimary},
                  "Steps through the blocks of the launch, each lit with its tile; an idle block turns red. Key J",
                  width))
        requests.ask(Command::kWalk);
    ImGui::SameLine();
    if (ui.button("Block back", "One block back. Shift + U", width)) requests.ask(Command::kWalkStep, -1);
    ImGui::SameLine();
    if (ui.button("Block on", "One block on. Key U", width)) requests.ask(Command::kWalkStep, +1);
    double speed = now.walk.speed;
    if (ui.slider("Blocks per second", speed,
                  {MapWalk::kLeastSpeed, MapWalk::kMostSpeed, MapWalk::kDefaultSpeed, "%.3g", Scale::kLogarithmic},
                  "Speed of the walk"))
        change([speed](MapLesson& lesson) { lesson.walk.speed = speed; });
    if (now.walk.on && blocks > 0 && ui.button("End walk", "Shows all blocks again", -1))
        change([](MapLesson& lesson) { lesson.walk.on = lesson.walk.playing = false; });
}

void take_half(EngineConfig& config) { config = to_engine(config, "half").config; }

}  // namespace

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
    if (state.maps.shown.picture || state.maps.shown.picture3) lesson(ui, state, requests);
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
    config.kernel.clear();  // a thread map of a kernel file is replaced
    pairs ? to_next(maps(), config.map) : to_next(simplex3_maps(), config.map3);
    window.scenes.use_engine(config);
    const UiState& state = window.core.state;
    if (!pairs || !state.layout.panels || state.layout.panel != "maps")  // the page shows it in its title
        messages.notice(phrase("Map: {}", map_in_force(config)));
}

/// Opens the page that shows the walk.
MapLesson& open_lesson(Window& window) {
    window.core.state.layout.panel = "maps";
    if (!window.core.state.layout.presenter) window.core.state.layout.panels = true;
    return window.core.state.own.of<MapLesson>();
}

void next_second_map(Window& window, int) {
    if (window.core.state.maps.shown.picture3)
        return window.core.messages.notice("Two maps are drawn for pairs of tiles, not for triples");
    std::string& second = open_lesson(window).second;
    const auto now = std::ranges::find(maps(), std::string_view{second}, &MapEntry::id);
    if (second.empty())
        second = maps().front().id;
    else
        second = now == maps().end() || now + 1 == maps().end() ? std::string{} : std::string{(now + 1)->id};
}

void play_walk(Window& window, int) {
    MapWalk& walk = open_lesson(window).walk;
    walk.playing = !walk.playing;
    if (!walk.on) walk.at = 0;
    walk.on = true;
}

void step_walk(Window& window, int by) {
    MapLesson& lesson = open_lesson(window);
    lesson.walk.step(by, lesson.blocks(window.core.state.maps.shown));
}

constexpr auto kMapsCommands = std::to_array<WindowCommand>({
    line(Command::kMap, next_map, GLFW_KEY_M, "M", "next thread map"),
    with(kShift, line(Command::kSecondMap, next_second_map, GLFW_KEY_M, "Shift + M",
                      "next map beside that of the engine, or none")),
    line(Command::kWalk, play_walk, GLFW_KEY_J, "J", "walk through the blocks of the thread map, or pause"),
    listed("One block of the walk on",
           line(Command::kWalkStep, step_walk, GLFW_KEY_U, "U / Shift + U", "one block of the walk on, back", +1)),
    listed("One block of the walk back", with(kShift, also(Command::kWalkStep, GLFW_KEY_U, -1))),
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

nlohmann::json tile_json(const UiState& state) {
    const auto& lesson = state.own.of<MapLesson>();
    const auto& tile = state.own.of<TileLesson>();
    const int turn = tile.turn_at(lesson.walk.part());
    return {{"shown", lesson.drawing == MapDrawing::kTile},
            {"loop", tile.loop == TileLoop::kHalf ? "half" : "rows"},
            {"steps", tile.turns() - 1},
            {"step", turn},
            {"pairs", pairs_of_turn(tile, turn).size()}};
}

nlohmann::json lesson_json(const UiState& state) {
    const auto& lesson = state.own.of<MapLesson>();
    return {{"second", lesson.second},    {"wiped", lesson.pair == MapPair::kWiped},  {"divider", lesson.divider},
            {"walking", lesson.walk.on},  {"playing", lesson.walk.playing},           {"block", lesson.walk.block()},
            {"speed", lesson.walk.speed}, {"blocks", lesson.blocks(state.maps.shown)}};
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
    const LayoutState& layout = frame.state.layout;
    frame.map =
        (layout.panels || layout.presenter) && map_overlay(frame.ui, frame.state, w.imgui.fonts(), frame.requests);
}

constexpr auto kMapsOverlays = std::to_array<Overlay>({
    {Layer::kDrawing, draw_map},
});

std::unique_ptr<Feature> make_maps(Window& w) { return std::make_unique<MapsControl>(w.core); }

void describe_maps(nlohmann::json& map, const UiState& state) {
    map["tile_size"] = state.maps.shown.tile_size;
    map["map_shown"] = map_json(state.maps.shown);
    map["map_hover"] = state.maps.hover;
    map["map_worked"] = state.maps.worked;
    map["map_lesson"] = lesson_json(state);
    map["tile_lesson"] = tile_json(state);
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
