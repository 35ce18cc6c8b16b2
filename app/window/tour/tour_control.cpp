// SPDX-License-Identifier: MIT
#include "app/window/tour/tour_control.hpp"

#include <fmt/format.h>
#include <imgui.h>
#include <imgui_internal.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <span>
#include <vector>

#include "app/ui/words.hpp"
#include "app/window/command_table.hpp"
#include "app/window/features.hpp"
#include "app/window/overlays.hpp"
#include "app/window/panels.hpp"
#include "core/base/text.hpp"
#include "core/engines/choices.hpp"

namespace orrery {
namespace {

constexpr const char* kTourWindow = "tour";
constexpr float kTourWidth = 440, kTourHeight = 190, kFrameOff = 3;  // pixels at scale 1

constexpr auto kTour = std::to_array<TourCard>({
    {.title = "What you see",
     .text =
         "Bodies under their own gravity: each force is computed while you watch. Drag to turn the picture, use the "
         "wheel to come closer, and press Space to pause.",
     .panel = "scene",
     .shown = "",
     .tried = {Command::kTogglePause},
     .button = "Pause, resume",
     .tip = "Key Space"},
    {.title = "Switch the engine",
     .text =
         "An engine computes the forces; another one can take over between two steps. Keys 1 to 8 choose one, and so "
         "does the menu Engine. Its time is among the large figures, its error below on this page.",
     .panel = "engine",
     .shown = "Engine",
     .tried = {Command::kEngine, 2},
     .button = "Switch to Half matrix",
     .tip = "Every pair once, by a thread map. Key 2"},
    {.title = "Switch the thread map",
     .text = "A thread map assigns pairs to thread blocks. The engine Half matrix has several; key M switches to the "
             "next. The drawing shows the launch grid beside the pairs that it covers.",
     .panel = "maps",
     .shown = "Map",
     .tried = {Command::kMap},
     .button = "Next map",
     .tip = "Key M"},
    {.title = "Record",
     .text = "R starts a video of the picture, without the panels, and stops it; a message names the file. S takes a "
             "screenshot, Ctrl + Shift + S saves the bodies as they are.",
     .panel = "record",
     .shown = "Record",
     .tried = {Command::kRecord},
     .button = "Start, stop a video",
     .tip = "Key R"},
    {.title = "Open a file",
     .text = "Drop a snapshot, a series of them or a scene file on the window, or find it in the gallery, which also "
             "has pictures of all scenes and presets: key G.",
     .panel = "scene",
     .shown = "Scenes and files",
     .tried = {Command::kGallery},
     .button = "Open the gallery",
     .tip = "Key G; Esc closes it"},
    {.title = "Where help is",
     .text = "H shows all keys. Ctrl + P finds any command, page, engine, scene or setting by a word. Every control "
             "explains itself under the mouse. Compute, Info starts this tour again.",
     .panel = "report",
     .shown = "Help",
     .tried = {Command::kHelp},
     .button = "Show all keys",
     .tip = "Key H"},
});

/// Replaces the thread map's command by the engine's if the engine has no thread map.
TourCard in_this_state(TourCard card, const UiState& state) {
    if (card.tried.command != Command::kMap || !map_in_force(state.requested.engine).empty()) return card;
    const TourCard& engines = kTour[1];
    card.tried = engines.tried, card.button = engines.button, card.tip = engines.tip;
    return card;
}

void frame_widget(std::span<const WidgetMap::Widget> widgets, std::string_view label, float scale) {
    const auto found = std::ranges::find(widgets, label, &WidgetMap::Widget::label);
    if (label.empty() || found == widgets.end()) return;
    const float off = kFrameOff * scale;
    const Rectangle& at = found->place;
    ImGui::GetForegroundDrawList()->AddRect({at.x0 - off, at.y0 - off}, {at.x1 + off, at.y1 + off},
                                            ImGui::GetColorU32(ImGuiCol_PlotHistogram), 2 * off, 0, 2 * scale);
}

/// The areas that a card explains: a control, the drawing of a map, the large figures.
std::vector<Rectangle> subjects(const TourCard& card, std::span<const WidgetMap::Widget> widgets) {
    std::vector<Rectangle> all;
    const auto control = std::ranges::find(widgets, card.shown, &WidgetMap::Widget::label);
    if (!card.shown.empty() && control != widgets.end()) all.push_back(control->place);
    for (const char* name : {kMapWindow, kMap3Window, kFiguresWindow})
        if (const ImGuiWindow* window = ImGui::FindWindowByName(name); window && window->Active)
            all.push_back(
                {window->Pos.x, window->Pos.y, window->Pos.x + window->Size.x, window->Pos.y + window->Size.y});
    return all;
}

/// Position and width of the card.
struct CardPlace {
    ImVec2 at;
    float width;
};

/// The first position where the card covers none of these areas: beside the sidebar, above or below, otherwise over the
/// lower part of the sidebar.
CardPlace free_place(const TourCard& card, std::span<const WidgetMap::Widget> widgets, const UiState& state,
                     float scale) {
    const ImVec2 screen = ImGui::GetIO().DisplaySize;
    const float gap = kOverlayGap * scale, left = sidebar_width(state, scale) + gap;
    const float width = std::min(kTourWidth * scale, std::max(screen.x - left - gap, screen.x / 3));
    const ImGuiWindow* before = ImGui::FindWindowByName(kTourWindow);
    const float height = before && before->Size.y > 0 ? before->Size.y : kTourHeight * scale;
    const float low = std::max(gap, screen.y - transport_height(state, scale) - gap - height);
    const std::vector<Rectangle> covered = subjects(card, widgets);
    const auto is_free = [&](const CardPlace& place) {
        return std::ranges::none_of(covered, [&](const Rectangle& r) {
            return place.at.x < r.x1 && r.x0 < place.at.x + place.width && place.at.y < r.y1 &&
                   r.y0 < place.at.y + height;
        });
    };
    const CardPlace beside{{left, gap}, width};
    for (const CardPlace& place : {beside, CardPlace{{left, low}, width}, CardPlace{{gap, low}, left - 2 * gap}})
        if (place.width > 0 && is_free(place)) return place;
    return beside;
}

/// The number of the card, and buttons to the other cards and to leave the tour.
void tour_ways(Widgets& ui, std::size_t card, UiRequests& requests) {
    const bool last = card + 1 == kTour.size();
    if (ui.button("Back", "The previous card", 0, card == 0 ? "This is the first card" : ""))
        requests.tour.card = card - 1;
    ImGui::SameLine();
    if (!last && ui.primary("Next", "The next card")) requests.tour.card = card + 1;
    if (last && ui.primary("Done", "Ends the tour")) requests.tour.close = true;
    ImGui::SameLine();
    ImGui::AlignTextToFramePadding();
    write_dim(phrase("{} of {}", card + 1, kTour.size()));
    if (last) return;
    constexpr const char* skip = "Skip the tour";
    const float width = button_width(tr(skip));
    ImGui::SameLine(ImGui::GetWindowWidth() - width - ImGui::GetStyle().WindowPadding.x);
    if (ui.button(skip, "It does not start again by itself; Compute, Info starts it. Key Esc"))
        requests.tour.close = true;
}

}  // namespace

std::span<const TourCard> tour_cards() { return kTour; }

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

/// The current card of the tour, beside the page that it explains; `widgets` are those of this frame.
void tour_overlay(Widgets& ui, const UiState& state, std::span<const WidgetMap::Widget> widgets, UiRequests& requests) {
    const std::size_t at = std::min(state.tour.card, kTour.size() - 1);
    const TourCard card = in_this_state(kTour[at], state);
    const float scale = ui.scale();
    frame_widget(widgets, card.shown, scale);
    const CardPlace place = free_place(card, widgets, state, scale);
    ImGui::SetNextWindowPos(place.at);
    ImGui::SetNextWindowSizeConstraints({place.width, 0},
                                        {place.width, ImGui::GetIO().DisplaySize.y - 2 * kOverlayGap * scale});
    constexpr int flags = kDialogWindow | ImGuiWindowFlags_NoFocusOnAppearing;
    ImGui::PushStyleColor(ImGuiCol_WindowBg, ImGui::GetStyleColorVec4(ImGuiCol_PopupBg));
    if (ImGui::Begin(kTourWindow, nullptr, flags)) {
        ui.set_tips(TipPlace::kUnder);
        ui.heading(card.title);
        write_wrapped(tr(card.text));
        ImGui::Spacing();
        if (ui.button(card.button, card.tip, -1)) requests.ask(card.tried.command, card.tried.argument);
        tour_ways(ui, at, requests);
        ui.set_tips(TipPlace::kMouse);
    }
    ImGui::End();
    ImGui::PopStyleColor();
}

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
