// SPDX-License-Identifier: MIT
#include "app/window/opening/opening_control.hpp"

#include <fmt/format.h>
#include <imgui.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "app/picture/format.hpp"
#include "app/ui/words.hpp"
#include "app/window/command_table.hpp"
#include "app/window/features.hpp"
#include "app/window/opening/opening_walk.hpp"
#include "app/window/overlays.hpp"
#include "app/window/panels.hpp"
#include "core/engines/report.hpp"

namespace orrery {

void OpeningControl::walk(OpeningState& opening, const std::vector<TreeCell>& cells, const Vec3d& body) const {
    const OrbitCamera camera = core_.shown_camera();
    const Vec3f point{static_cast<float>(body.x), static_cast<float>(body.y), static_cast<float>(body.z)};
    for (const WalkedCell& end : opening_walk(cells, point, opening.theta)) {
        const TreeCell& cell = cells[end.cell];
        ++(end.accepted ? opening.accepted : opening.near_cells);
        (end.accepted ? opening.in_accepted : opening.near_bodies) += cell.bodies;
        std::array<std::optional<glm::dvec2>, 8> corners;
        for (std::size_t i = 0; i < corners.size(); ++i)
            corners[i] =
                camera.project({(i & 1) != 0 ? cell.high.x : cell.low.x, (i & 2) != 0 ? cell.high.y : cell.low.y,
                                (i & 4) != 0 ? cell.high.z : cell.low.z},
                               core_.size.x, core_.size.y);
        for (std::size_t i = 0; i < corners.size(); ++i)
            for (const std::size_t axis : {1u, 2u, 4u})
                if ((i & axis) == 0 && corners[i] && corners[i | axis])
                    opening.edges.push_back({*corners[i], *corners[i | axis], end.accepted});
    }
}

void OpeningControl::update() {
    auto& opening = core_.state.own.of<OpeningState>();
    opening = {.on = opening.on, .theta = opening.theta};
    if (!opening.on) return;
    const auto& cells = core_.simulation.frame().cells;
    opening.has_tree = cells && !cells->empty();
    const auto& seen = core_.simulation.status().inspection;
    opening.has_body = core_.state.hand.picked && seen && !seen->motions.empty();
    if (opening.has_tree && opening.has_body && !core_.state.status.compare.on)
        walk(opening, *cells, seen->motions.front().position);
}

namespace {

using namespace command_table;

void toggle_opening(Window& w, int) {
    auto& opening = w.core.state.own.of<OpeningState>();
    opening.on = !opening.on;
}

constexpr auto kOpeningCommands = std::to_array<WindowCommand>({
    with(kShift, line(Command::kOpening, toggle_opening, GLFW_KEY_O, "Shift + O",
                      "cells that the tree accepts for the picked body, on, off")),
});

constexpr ImU32 kAccepted = IM_COL32(70, 210, 160, 100), kNear = IM_COL32(255, 170, 60, 190);

std::string opening_text(const OpeningState& opening) {
    if (!opening.has_tree) return phrase("The current engine has no tree: key 3 selects one.");
    if (!opening.has_body) return phrase("Pick a body with a click: the cells that it accepts light up.");
    return phrase(
        "Green: {} cells act as one each, for {} bodies. Orange: the {} bodies of {} near cells act one by one.",
        grouped(static_cast<std::int64_t>(opening.accepted)), grouped(static_cast<std::int64_t>(opening.in_accepted)),
        grouped(static_cast<std::int64_t>(opening.near_bodies)),
        grouped(static_cast<std::int64_t>(opening.near_cells)));
}

void draw_edges(Window& w, DrawnFrame& frame) {
    const auto& opening = frame.state.own.of<OpeningState>();
    if (!opening.on) return;
    ImDrawList& draw = *ImGui::GetBackgroundDrawList();
    for (const bool accepted : {true, false})  // the near ones on top
        for (const OpeningEdge& edge : opening.edges)
            if (edge.accepted == accepted)
                draw.AddLine({static_cast<float>(edge.from.x), static_cast<float>(edge.from.y)},
                             {static_cast<float>(edge.to.x), static_cast<float>(edge.to.y)},
                             accepted ? kAccepted : kNear, (accepted ? 1.0f : 1.6f) * w.ui_scale());
}

/// The criterion and its count, above the transport bar.
void draw_opening_text(Window&, DrawnFrame& frame) {
    const auto& opening = frame.state.own.of<OpeningState>();
    if (!opening.on || frame.map || frame.lab) return;
    const DarkColors dark;
    Widgets& ui = frame.ui;
    const ImVec2 screen = ImGui::GetIO().DisplaySize;
    const float left = sidebar_width(frame.state, ui.scale()), gap = kOverlayGap * ui.scale();
    const float bottom = screen.y - transport_height(frame.state, ui.scale()) - kMessageStrip * ui.scale();
    const float width = std::min(520 * ui.scale(), screen.x - left - 2 * gap);
    place_window({left + (screen.x - left) / 2, bottom}, {0.5f, 1}, 0.75f);
    ImGui::SetNextWindowSize({width, 0});
    if (ImGui::Begin("opening", nullptr, kFloatingWindow | ImGuiWindowFlags_AlwaysAutoResize)) {
        write_wrapped(opening_text(opening));
        double theta = opening.theta;
        if (ui.slider("Opening angle θ", theta,
                      {OpeningState::kLeastTheta, OpeningState::kMostTheta, OpeningState::kDefaultTheta, "%.2f"},
                      "A cell of side l at distance d is accepted if l/d < θ (Barnes and Hut, 1986). For this drawing "
                      "only: the page Forces has the criterion of the engine"))
            frame.requests.change([theta](UiState& now) { now.own.of<OpeningState>().theta = theta; });
    }
    ImGui::End();
}

constexpr auto kOpeningOverlays = std::to_array<Overlay>({
    {Layer::kBodies, draw_edges},
    {Layer::kIndicators, draw_opening_text},
});

std::unique_ptr<Feature> make_opening(Window& w) { return std::make_unique<OpeningControl>(w.core); }

void describe_opening(nlohmann::json& map, const UiState& state) {
    const auto& opening = state.own.of<OpeningState>();
    map["opening"] = {{"on", opening.on},
                      {"theta", opening.theta},
                      {"accepted", opening.accepted},
                      {"in_accepted", opening.in_accepted},
                      {"near_cells", opening.near_cells},
                      {"near_bodies", opening.near_bodies}};
}

}  // namespace

FeatureEntry opening_feature() {
    return {
        .commands = kOpeningCommands, .overlays = kOpeningOverlays, .describe = describe_opening, .make = make_opening};
}

}  // namespace orrery
