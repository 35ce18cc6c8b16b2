// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>

#include "app/picture/format.hpp"
#include "app/ui/engine_choice.hpp"
#include "app/ui/map_knobs.hpp"
#include "app/ui/panels.hpp"
#include "app/ui/words.hpp"
#include "core/engines/map_choices.hpp"
#include "core/maps/maps.hpp"

namespace orrery {
namespace {

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
    ImGui::TextUnformatted(speed.c_str());
    ImGui::SameLine(62 * scale);
    ImGui::TextUnformatted(tried.name.c_str());
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

void map_panel(Widgets& ui, const UiState& state, UiRequests& requests) {
    EngineConfig config = state.requested.engine;
    if (!state.maps.shown.refused.empty() && state.maps.shown.picture)
        config.map = state.maps.shown.picture->map(), config.root = state.maps.shown.picture->root();
    bool edited = map_knobs(ui, config);
    if (edited && state.maps.shown.chosen_by_engine) take_half(config);  // `auto` would choose another map
    if (!walks_pairs(state.status.engine) && state.scene.ready &&
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

}  // namespace orrery
