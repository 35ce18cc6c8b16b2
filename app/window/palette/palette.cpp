// SPDX-License-Identifier: MIT
#include "app/window/palette/palette.hpp"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <nlohmann/json.hpp>
#include <optional>

#include "app/picture/compare_view.hpp"
#include "app/record/record_settings.hpp"
#include "app/render/color_maps.hpp"
#include "app/render/color_modes.hpp"
#include "app/render/view_settings.hpp"
#include "app/ui/words.hpp"
#include "app/window/command_table.hpp"
#include "app/window/commands.hpp"
#include "app/window/engine/engine_choice.hpp"
#include "app/window/features.hpp"
#include "app/window/overlays.hpp"
#include "app/window/panels.hpp"
#include "core/analysis/analyses.hpp"
#include "core/base/backend.hpp"
#include "core/base/text.hpp"
#include "core/engines/choices.hpp"
#include "core/engines/engine_settings.hpp"
#include "core/integrators/integrators.hpp"
#include "core/maps/maps.hpp"
#include "core/simulation/compatibility.hpp"
#include "core/simulation/scene_request.hpp"

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

/// A search field with the matching lines below: arrows choose, Enter runs, Esc closes.
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

}  // namespace

namespace {

using PaletteLines = std::vector<PaletteLine>;

constexpr const char* kInForce = "in force";

/// "Map: λ", marked "in force" if it is the current one.
PaletteLine choice_of(std::string_view menu, std::string_view label, std::string_view doc, bool now,
                      std::function<void(UiRequests&)> ask) {
    return {fmt::format("{}: {}", menu, label), std::string{doc}, now ? kInForce : "", {}, std::move(ask)};
}

void open_page(UiRequests& requests, std::string_view id, bool panels) {
    requests.layout.panel = id;
    if (!panels) requests.ask(Command::kPanels);
}

void add_commands(PaletteLines& lines, std::span<const PaletteCommand> commands) {
    for (const PaletteCommand& each : commands)
        lines.push_back({each.does, {}, std::string{each.key}, {}, [call = each.call](UiRequests& requests) {
                             requests.ask(call.command, call.argument);
                         }});
}

void add_pages(PaletteLines& lines, const UiState& state) {
    for (const PanelEntry& panel : panels())
        lines.push_back(choice_of(
            label_of(panel.group), panel.label, panel.doc, state.layout.panels && panel.id == state.layout.panel,
            [id = panel.id, shown = state.layout.panels](UiRequests& w) { open_page(w, id, shown); }));
}

void add_engines(PaletteLines& lines, const UiState& state) {
    for (const std::string_view id : engine_keys()) {
        const EngineChange change = to_engine(state.requested.engine, id);
        const EngineEntry& entry = engine(id, change.config.backend);
        lines.push_back(choice_of("Engine", entry.label, entry.doc, id == state.requested.engine.engine,
                                  [config = change.config](UiRequests& w) { w.ask(SetEngine{config}); }));
        if (!change.possible) lines.back().why_not = change.words;
        if (lines.back().aside.empty()) lines.back().aside = key_tip(id);
    }
}

/// A map needs the engine that walks it.
void add_maps(PaletteLines& lines, const UiState& state) {
    const EngineChange half = to_engine(state.requested.engine, "half");
    EngineConfig config = walks_pairs(state.requested.engine) && state.requested.engine.engine != "auto"
                              ? state.requested.engine
                              : half.config;
    const std::string now = map_in_force(state.requested.engine);
    for (const MapEntry& entry : maps()) {
        config.map = entry.id, config.kernel.clear();
        lines.push_back(choice_of("Map", entry.label, entry.doc, entry.id == now,
                                  [config](UiRequests& w) { w.ask(SetEngine{config}); }));
        if (!half.possible && !walks_pairs(state.requested.engine)) lines.back().why_not = half.words;
    }
}

void add_precisions(PaletteLines& lines, const UiState& state) {
    const EngineEntry* entry = find_engine(state.requested.engine);
    for (const Precision each : precisions()) {
        EngineConfig config = state.requested.engine;
        config.precision = each;
        lines.push_back(choice_of("Precision", name(each), "Of forces and positions",
                                  each == state.requested.engine.precision,
                                  [config](UiRequests& w) { w.ask(SetEngine{config}); }));
        if (entry && !offers(*entry, each)) lines.back().why_not = "The engine does not offer it";
    }
}

void add_integrators(PaletteLines& lines, const UiState& state) {
    const Status& s = state.status;
    for (const IntegratorEntry& entry : integrators()) {
        lines.push_back(choice_of("Integrator", entry.label, entry.doc, entry.id == s.dynamics.integrator,
                                  [id = entry.id](UiRequests& w) {
                                      w.ask(SetIntegrator{std::string{id}, {}});
                                  }));
        lines.back().why_not = verbatim(why_incompatible(entry, s.engine.config, s.dynamics.gravity.law));
    }
}

void add_colors(PaletteLines& lines, const UiState& state) {
    const auto add = [&](std::string_view menu, const auto& entries, std::string ViewSettings::*member) {
        for (const auto& entry : entries) {
            ViewSettings view = state.view;
            view.*member = entry.id;
            lines.push_back(choice_of(menu, entry.label, entry.doc, state.view.*member == entry.id,
                                      [view](UiRequests& w) { w.change([view](UiState& now) { now.view = view; }); }));
        }
    };
    add("Colour by", color_modes(), &ViewSettings::color_mode);
    add("Colours", color_maps(), &ViewSettings::color_map);
}

/// A control that is in no table of settings and not always on its page.
struct Control {
    std::string_view label, page, doc;
};
constexpr auto kControls = std::to_array<Control>({
    {"dt", "scene", "Step length"},
    {"Speed", "scene", "Maximum number of steps per second"},
    {"Backward", "scene", "Steps of −dt: time runs backward"},
    {"Preset", "scene", "Initial conditions"},
    {"Scene file", "scene", "Sets bodies, forces, view and camera together"},
    {"Rewind memory", "scene", "Memory for rewind snapshots"},
    {"File", "scene", "Path of a snapshot or a scene file to open"},
    {"Save as", "scene", "Path of the scene file to write"},
    {"New mass", "hand", "Mass of a body that is added"},
    {"Pick number", "hand", "Picks a body by its number"},
    {"Pick species", "hand", "Picks all bodies of a species"},
    {"Mass ×", "hand", "Multiplies the masses of the picked bodies"},
    {"Velocity ×", "hand", "Multiplies the velocities of the picked bodies"},
    {"Large figures", "view", "Figures in the upper right corner of the picture"},
    {"Colour map", "view", "Colours from the lowest to the highest value"},
    {"Colour range from the bodies", "view", "Or by hand: Low and High"},
    {"Automatic exposure", "view", "Adapts the brightness to the picture"},
    {"Follow", "camera", "Keeps a body or the centre in the middle"},
    {"Fly", "camera", "Moves through the bodies by keys"},
    {"Field of view", "camera", "Angle that the picture covers"},
    {"Fly speed", "camera", "Speed of the flying camera"},
    {"Loop", "camera", "Repeats the camera path"},
    {"Path", "record", "File of the video to write"},
    {"Snapshot files", "record", "Names of the snapshots of a series"},
    {"Steps between", "record", "Snapshots of a series"},
    {"Plot", "plots", "Rotation curves, densities, phase space, histograms, groups"},
    {"Step of B", "compare", "Step length of the second simulation"},
    {"Experiment", "lab", "Published measurements of thread maps"},
    {"Repeats", "lab", "Runs of each measurement"},
    {"Text size", "report", "Of all text and controls"},
    {"Autosave", "report", "Minutes between two checkpoints of the run"},
});

/// Choices of the window, made at once.
void add_window(PaletteLines& lines, const UiState& state) {
    for (const ThemeEntry& entry : themes())
        lines.push_back(choice_of(
            "Theme", entry.label, entry.doc, entry.theme == state.layout.theme,
            [theme = entry.theme](UiRequests& w) { w.change([theme](UiState& now) { now.layout.theme = theme; }); }));
    for (const LanguageEntry& entry : languages())
        lines.push_back(choice_of("Language", entry.label, entry.doc, entry.id == state.layout.language,
                                  [id = entry.id](UiRequests& w) { w.layout.language = std::string{id}; }));
}

/// "Look > View"
std::string place_of(std::string_view page) {
    const auto panel = std::ranges::find(panels(), page, &PanelEntry::id);
    return translated(fmt::format("{} > {}", tr(label_of(panel->group)), tr(panel->label)));
}

/// Fields, which open their page and are framed there.
void add_settings(PaletteLines& lines, const UiState& state) {
    const auto add_once = [&](PaletteLine line, std::string_view label) {
        const auto same = [&](const PaletteLine& other) { return other.label == line.label; };
        if (!label.empty() && std::ranges::none_of(lines, same)) lines.push_back(std::move(line));
    };
    const auto add_field = [&](std::string_view label, std::string_view tip, std::string_view page) {
        PaletteLine line = choice_of("Setting", label, tip, false,
                                     [page, label = std::string{label}, shown = state.layout.panels](UiRequests& w) {
                                         open_page(w, page, shown);
                                         w.layout.seek = label;
                                     });
        line.aside = place_of(page);
        add_once(std::move(line), label);
    };
    const auto add = [&](const SettingInfo& info, std::string_view page) { add_field(info.label, tip_of(info), page); };
    // First as the pages show them, then those that the pages do not show at present.
    for (const ListedControl& each : state.palette.controls) add_field(each.label, each.tip, each.page);
    for (const auto& each : scene_settings()) add(each.info, "scene");
    for (const auto& each : view_settings()) add(each.info, "view");
    for (const auto& each : engine_settings()) add(each.info, each.info.group == &kMapGroup ? "maps" : "engine");
    for (const auto& each : record_settings()) add(each.info, "record");
    for (const auto& each : analysis_settings()) add(each.info, "plots");
    for (const auto& each : compare_view_settings()) add(each.info, "compare");
    for (const Control& each : kControls) add_field(each.label, each.doc, each.page);
}

void add_scenes(PaletteLines& lines, const UiState& state) {
    for (const GalleryCard& card : state.gallery.cards)
        lines.push_back(choice_of("Scene", card.label, card.doc, card.id == state.requested.scene.source,
                                  [id = card.id](UiRequests& w) { w.open = id; }));
    for (const GalleryFile& file : state.gallery.recent)
        lines.push_back(
            choice_of("File", file.path, file.what, false, [path = file.path](UiRequests& w) { w.open = path; }));
}

std::vector<std::string> words_of(std::string_view text) {
    std::vector<std::string> words{{}};
    for (const char c : lower_case(text)) {
        if (c != ' ')
            words.back() += c;
        else if (!words.back().empty())
            words.emplace_back();
    }
    if (words.back().empty()) words.pop_back();
    return words;
}

bool begins_a_word(const std::string& text, const std::string& word) {
    for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1))
        if (at == 0 || !std::isalnum(static_cast<unsigned char>(text[at - 1]))) return true;
    return false;
}

/// 0 is best; nothing if a word is missing.
std::optional<int> rank(std::string_view name, std::string_view tip, const std::vector<std::string>& words) {
    const std::string label = lower_case(name), all = label + ' ' + lower_case(tip);
    const auto each = [&](const auto& has) { return std::ranges::all_of(words, has); };
    if (!each([&](const std::string& word) { return all.find(word) != std::string::npos; })) return std::nullopt;
    if (!each([&](const std::string& word) { return label.find(word) != std::string::npos; })) return 3;
    if (!each([&](const std::string& word) { return begins_a_word(label, word); })) return 2;
    const std::size_t colon = label.find(": ");
    const bool begins = label.starts_with(words.front()) ||
                        (colon != std::string::npos && label.substr(colon + 2).starts_with(words.front()));
    return begins ? 0 : 1;
}

/// By the displayed text or by the English one, whichever is better.
std::optional<int> rank(const PaletteLine& line, const std::vector<std::string>& words) {
    const auto english = rank(line.label, line.tip, words);
    if (language() == "en") return english;
    const std::string_view name = line.label;
    const std::size_t colon = name.find(": ");  // as in_parts(), but names of files need no translation
    const std::string label =
        colon == name.npos || if_known(name) != name
            ? std::string{if_known(name)}
            : fmt::format("{}: {}", if_known(name.substr(0, colon)), if_known(name.substr(colon + 2)));
    const auto displayed = rank(label, if_known(line.tip), words);
    return english && displayed ? std::min(english, displayed) : english ? english : displayed;
}

}  // namespace

std::vector<PaletteLine> palette_lines(const UiState& state, std::span<const PaletteCommand> commands) {
    PaletteLines lines;
    add_commands(lines, commands);
    add_pages(lines, state);
    add_engines(lines, state);
    add_maps(lines, state);
    add_precisions(lines, state);
    add_integrators(lines, state);
    add_colors(lines, state);
    add_scenes(lines, state);
    add_window(lines, state);
    add_settings(lines, state);
    return lines;
}

std::vector<const PaletteLine*> palette_matches(const std::vector<PaletteLine>& lines, std::string_view words) {
    const std::vector<std::string> wanted = words_of(words);
    std::array<std::vector<const PaletteLine*>, 4> by_rank;
    for (const PaletteLine& line : lines)
        if (const auto place = wanted.empty() ? std::optional{0} : rank(line, wanted))
            by_rank[static_cast<std::size_t>(*place)].push_back(&line);
    std::vector<const PaletteLine*> all;
    for (const auto& some : by_rank) all.insert(all.end(), some.begin(), some.end());
    return all;
}

namespace {

std::string with_capital(std::string_view words) {
    std::string text{words};
    text[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(text[0])));
    return text;
}

void add_cameras(std::vector<PaletteCommand>& commands) {
    constexpr int kSlots = 8;
    for (int slot = 1; slot <= kSlots; ++slot)
        commands.push_back({{Command::kRecallCamera, slot}, fmt::format("Recall camera {}", slot), {}});
    for (int slot = 1; slot <= kSlots; ++slot)
        commands.push_back({{Command::kStoreCamera, slot}, fmt::format("Store the camera as {}", slot), {}});
}

}  // namespace

std::vector<PaletteCommand> palette_commands() {
    std::vector<PaletteCommand> commands;
    const auto lines = window_commands();
    for (const WindowCommand& line : lines) {
        if (!line.runs || !line.in_palette) continue;
        const std::size_t before = commands.size();
        for (const WindowCommand& each : lines)
            if (each.command == line.command && !each.listed.empty())
                commands.push_back({{each.command, each.argument}, std::string{each.listed}, line.text});
        if (commands.size() == before)
            commands.push_back({{line.command, line.argument}, with_capital(line.does), line.text});
    }
    add_cameras(commands);
    return commands;
}

namespace {

using namespace command_table;

void toggle_palette(Window& w, int) {
    PaletteState& palette = w.core.state.palette;
    palette = {.on = !palette.on, .controls = {}, .search = {}};
}

/// The fields of all pages: each page is drawn once outside of the screen, and its requests are dropped.
std::vector<ListedControl> listed_controls(const UiState& state, float scale) {
    std::vector<ListedControl> all;
    for (const PanelEntry& panel : panels()) {
        WidgetMap map;
        Widgets ui{map, scale};
        UiRequests dropped;
        std::vector<ListedItem> items;
        ui.set_quiet(true);
        ui.list_into(&items);
        ImGui::SetNextWindowPos({-10000, -10000});
        ImGui::SetNextWindowSize({kDefaultSidebar * scale, 4000 * scale});
        if (ImGui::Begin(fmt::format("listed {}", panel.id).c_str(), nullptr,
                         kFloatingWindow | ImGuiWindowFlags_NoInputs))
            panel.draw(ui, state, dropped);
        ImGui::End();
        for (ListedItem& item : items) all.push_back({panel.id, std::move(item.label), std::move(item.tip)});
    }
    return all;
}

constexpr auto kPaletteCommands = std::to_array<WindowCommand>({
    anywhere(unlisted(with(kControl, line(Command::kPalette, toggle_palette, GLFW_KEY_P, "Ctrl + P",
                                          "find any command or choice by words")))),
});

void draw_palette(Window& w, DrawnFrame& frame) {
    if (!frame.state.palette.on) return;
    if (frame.state.palette.controls.empty())
        w.core.state.palette.controls = listed_controls(frame.state, frame.ui.scale());
    palette_overlay(frame.ui, frame.state, palette_commands(), frame.requests);
}

constexpr auto kPaletteOverlays = std::to_array<Overlay>({
    {Layer::kPalette, draw_palette, [](const UiState& state) { return state.palette.on; }},
});

void describe_palette(nlohmann::json& map, const UiState& state) {
    const PaletteState& palette = state.palette;
    nlohmann::json controls = nlohmann::json::array();
    for (const ListedControl& each : palette.controls) controls.push_back(each.label);
    map["palette"] = {
        {"on", palette.on}, {"search", palette.search}, {"chosen", palette.chosen}, {"controls", std::move(controls)}};
}

}  // namespace

FeatureEntry palette_feature() {
    return {.commands = kPaletteCommands, .overlays = kPaletteOverlays, .describe = describe_palette};
}

}  // namespace orrery
