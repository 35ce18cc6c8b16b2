// SPDX-License-Identifier: MIT
#include "app/window/palette/palette_commands.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <nlohmann/json.hpp>

#include "app/window/command_table.hpp"
#include "app/window/commands.hpp"
#include "app/window/features.hpp"
#include "app/window/overlays.hpp"
#include "app/window/panels.hpp"

namespace orrery {
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
