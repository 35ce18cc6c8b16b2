// SPDX-License-Identifier: MIT
#include "app/window/tour/tour_control.hpp"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "app/window/command_table.hpp"
#include "app/window/features.hpp"
#include "app/window/overlays.hpp"

namespace orrery {

bool TourControl::begin(bool at_start) {
    TourState& tour = core_.state.tour;
    if (!at_start || !tour.at_start) return false;
    tour.at_start = false;
    remembered_.note_tour();  // at once: the program may be killed
    gallery_follows_ = true;
    start();
    return true;
}

void TourControl::start() {
    core_.state.tour.on = true;
    show(0);
}

void TourControl::end() {
    core_.state.tour.on = false;
    if (gallery_follows_ && core_.state.gallery.at_start) gallery_.open(kAllPage);
    gallery_follows_ = false;
}

void TourControl::apply(const UiRequests& requests) {
    if (requests.tour.card) show(*requests.tour.card);
    if (requests.tour.close) end();
}

void TourControl::show(std::size_t card) {
    UiState& state = core_.state;
    state.tour.card = std::min(card, tour_cards().size() - 1);
    state.layout.panels = true;
    state.layout.panel = tour_cards()[state.tour.card].panel;
}

namespace {

using namespace command_table;

void start_tour(Window& w, int) { w.tour.start(); }

constexpr auto kTourCommands = std::to_array<WindowCommand>({
    listed("First steps: a tour of six cards", button(Command::kTour, start_tour)),
});

void draw_card(Window&, DrawnFrame& frame) {
    const UiState& state = frame.state;
    const bool covered = state.gallery.on || state.palette.on || state.layout.help;
    if (state.tour.on && !covered && !frame.lab) tour_overlay(frame.ui, state, frame.widgets.widgets(), frame.requests);
}

constexpr auto kTourOverlays = std::to_array<Overlay>({
    {Layer::kTour, draw_card},
});

void describe_tour(nlohmann::json& map, const UiState& state) {
    map["tour"] = {{"on", state.tour.on}, {"card", state.tour.card}};
}

}  // namespace

FeatureEntry tour_feature() {
    return {.commands = kTourCommands, .overlays = kTourOverlays, .describe = describe_tour};
}

}  // namespace orrery
