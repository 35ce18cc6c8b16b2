// SPDX-License-Identifier: MIT
#include "app/window/overlays.hpp"

#include <fmt/format.h>
#include <imgui.h>
#include <imgui_internal.h>

#include <algorithm>
#include <string>
#include <vector>

#include "app/picture/format.hpp"
#include "app/ui/words.hpp"
#include "app/window/engine/engine_choice.hpp"
#include "app/window/kernel/kernel_page.hpp"
#include "app/window/panels.hpp"

namespace orrery {
namespace {

constexpr int kFiguresFloating = kFloatingWindow | ImGuiWindowFlags_AlwaysAutoResize | ImGuiWindowFlags_NoInputs;

struct Figure {
    std::string number, unit;
};

/// Number of bodies shown, how many bodies each represents, and their distance in the picture.
std::vector<Figure> cloud_figures(const UiState& state) {
    const CloudStatus& c = state.status.source.cloud;
    return {{short_number(static_cast<double>(c.shown)), phrase("shown")},
            {"≤ " + short_number(c.most), phrase("each for")},
            {c.spacing > 0 ? "≤ " + short_number(c.spacing) : "0", phrase("px apart")},
            {fmt::format("{:.0f}", state.performance.ui_fps), "fps"}};
}

/// A series reads its bodies from files: rates of steps and forces would describe nothing.
std::vector<Figure> series_figures(const UiState& state) {
    const Status& s = state.status;
    const auto& times = *s.source.series.times;
    const auto shown = std::ranges::upper_bound(times, s.time) - times.begin();
    return {s.pace.paused ? Figure{phrase("paused"), ""}
                          : Figure{play_rate_text(s, s.source.series.rate), phrase("a second")},
            {fmt::format("{} / {}", shown, times.size()), phrase("snapshot")},
            {fmt::format("{:.0f}", state.performance.ui_fps), "fps"}};
}

/// Pairs per second, N² over the time, for engines that sum all pairs; bodies per second for others.
Figure rate_figure(const Status& s) {
    if (sums_all_pairs(s.engine.config, s.engine.report))
        return {rate_text(s.force.pairs_per_second), phrase("pairs/s")};
    const double seconds = s.force.timing.median;
    return {rate_text(seconds > 0 ? static_cast<double>(s.bodies) / seconds : 0), phrase("bodies/s")};
}

std::vector<Figure> figures(const UiState& state) {
    const Status& s = state.status;
    if (s.source.cloud.on) return cloud_figures(state);
    if (s.source.series.on) return series_figures(state);
    return {
        s.pace.paused ? Figure{phrase("paused"), ""} : Figure{rate_text(s.pace.steps_per_second), phrase("steps/s")},
        {milliseconds_text(s.force.timing.median), phrase("force")},
        rate_figure(s),
        {fmt::format("{:.0f}", state.performance.ui_fps), "fps"}};
}

/// The transport bar shows the recorded time, but not why no frames are recorded.
bool recording_indicator_shown(const UiState& state) {
    const bool waits = state.requested.paused && !state.recording.now.ending;
    return state.recording.now.active && (!state.layout.panels || waits);
}

/// Recorded time; while no frames are recorded, also the reason.
std::string recorded_text(const UiState& state) {
    const std::string frames = "REC  " + film_time_text(state.recording.now.seconds());
    if (!state.requested.paused || state.recording.now.ending) return frames;
    return frames + "; " +
           phrase(state.recording.now.session.empty() ? "paused; only camera moves are recorded"
                                                      : "paused; a session does not record camera moves");
}

bool hides_bodies(const UiState& state) { return (state.view.species.hidden() & state.scene.species_present).any(); }

std::string engine_line(const UiState& state) {
    const EngineConfig& e = state.status.engine.config;
    if (const CloudStatus& c = state.status.source.cloud; c.on) {
        const std::string all = phrase("of {} bodies", grouped(c.bodies));
        return c.reading ? fmt::format("{}, {}", all, tr("refining…")) : all;
    }
    std::string bodies = bodies_in_words(state.status.bodies);
    if (hides_bodies(state)) bodies = phrase("{} of {}", grouped(state.picture.bodies_drawn), bodies);
    return phrase("{}, {} on {}, {}", bodies, engine_name(e), name(e.backend), if_known(name(e.precision)));
}

/// A number that ends at `number_end` and its unit from `unit_start`, on one base line.
void figure_row(const Figure& figure, const Fonts& fonts, float number_end, float unit_start) {
    const float top = ImGui::GetCursorPosY(), small = ImGui::GetFontSize();
    ImGui::PushFont(fonts.large);
    const float large = ImGui::GetFontSize();
    ImGui::SetCursorPosX(number_end - text_width(figure.number));
    write_text(figure.number);
    ImGui::PopFont();
    constexpr float kAscent = 0.8f;  // height of the baseline, as a fraction of the font size
    ImGui::SetCursorPos({unit_start, top + kAscent * (large - small)});
    write_dim(figure.unit);
    ImGui::SetCursorPosY(top + 1.12f * large);
}

constexpr float kTitleMost = 620, kTitleLeast = 200, kTitlePadding = 10;  // pixels at scale 1

int opacity(double part, int most) { return static_cast<int>(std::clamp(part, 0.0, 1.0) * most); }

/// At the top beside the sidebar and the large figures, or in place of the figures if that leaves too little room.
struct TitlePlace {
    ImVec2 at;
    float room;
};
TitlePlace title_place(const UiState& state, float scale) {
    const float gap = kOverlayGap * scale, left = sidebar_width(state, scale) + gap;
    float top = gap + groups_height(state, scale), right = ImGui::GetIO().DisplaySize.x - gap;
    if (state.status.compare.on) top += 3.5f * ImGui::GetFrameHeight();  // below the names of A and B
    const ImGuiWindow* figures = ImGui::FindWindowByName(kFiguresWindow);
    const bool beside = figures && state.layout.overlay && !state.status.compare.on &&
                        figures->Pos.x - gap - left >= kTitleLeast * scale;
    if (beside) right = figures->Pos.x - gap;
    return {{left, top}, std::min(right - left, kTitleMost * scale)};
}

/// Translates "Spread: Speed, AU/d" except for the unit.
std::string in_language(const std::string& title) {
    const std::size_t unit = title.find(", ");
    return in_parts(std::string_view{title}.substr(0, unit)) + (unit == title.npos ? "" : title.substr(unit));
}

}  // namespace

/// Taking the focus in each frame would move the keyboard's focus out of the window's children.
void keep_in_front(const char* window) {
    ImGuiWindow* shown = ImGui::FindWindowByName(window);
    const ImGuiWindow* focused = ImGui::GetCurrentContext()->NavWindow;
    if (shown && shown->WasActive && focused && focused->RootWindow == shown)
        ImGui::BringWindowToDisplayFront(shown);
    else
        ImGui::SetNextWindowFocus();
}

void figures_overlay(const Widgets& ui, const UiState& state, const Fonts& fonts,
                     const std::optional<Rectangle>& title) {
    const DarkColors dark;
    const ImVec2 screen = ImGui::GetIO().DisplaySize;
    const float gap = kOverlayGap * ui.scale(), pad = ImGui::GetStyle().WindowPadding.x;
    const float left = sidebar_width(state, ui.scale()) + kernel_editor_width(state, ui.scale()) + gap;
    const std::string line = engine_line(state);
    const std::vector<Figure> shown = figures(state);
    ImGui::PushFont(fonts.large);
    float number_width = text_width("000.0 ms");
    for (const Figure& figure : shown)  // "paused" is longer in other languages
        number_width = std::max(number_width, text_width(figure.number));
    ImGui::PopFont();
    float unit_width = 0;
    for (const std::string_view unit : {"steps/s", "pairs/s", "bodies/s", "a second", "snapshot"})
        unit_width = std::max(unit_width, text_width(tr(unit)));
    const float inner = std::max(text_width(line), number_width + gap + unit_width);
    if (left + inner + 2 * pad + gap > screen.x) return;  // no room beside the picture
    // In a narrow window the figures are below the row of groups.
    const bool beside = groups_width(state, ui.scale()) + inner + 2 * pad + 2 * gap <= screen.x;
    const float top = beside ? gap : gap + groups_height(state, ui.scale());
    if (title && title->x1 > screen.x - gap - inner - 2 * pad) return;
    const bool over_map = (state.layout.panels || state.layout.presenter) &&
                          state.layout.panel == "maps";  // hides the edge of its drawing
    place_window({screen.x - gap, top}, {1, 0}, over_map ? 1 : 0.45f);
    if (ImGui::Begin(kFiguresWindow, nullptr, kFiguresFloating)) {
        const float unit_start = pad + inner - unit_width;
        for (const Figure& figure : shown) figure_row(figure, fonts, unit_start - gap, unit_start);
        ImGui::SetCursorPosX(pad + inner - text_width(line));
        write_dim(line);
    }
    ImGui::End();
}

void recording_indicator(const Widgets& ui, const UiState& state) {
    const DarkColors dark;
    if (!recording_indicator_shown(state)) return;
    const float gap = kOverlayGap * ui.scale();
    place_window(lower_right(state, ui.scale()), {1, 1}, 0.6f);
    // As low as the margin that maps, the laboratory and the kernel editor leave above the transport bar.
    const ImVec2 pad = ImGui::GetStyle().WindowPadding;
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {pad.x, pad.y / 2});
    if (ImGui::Begin("recording", nullptr, kFiguresFloating)) {
        const float radius = ImGui::GetFontSize() * 0.38f;
        const ImVec2 at = ImGui::GetCursorScreenPos();
        ImGui::GetWindowDrawList()->AddCircleFilled({at.x + radius, at.y + ImGui::GetFontSize() / 2}, radius,
                                                    IM_COL32(235, 60, 50, 255));
        ImGui::SetCursorPosX(ImGui::GetCursorPosX() + 2 * radius + gap);
        write_text(recorded_text(state));
    }
    ImGui::End();
    ImGui::PopStyleVar();
}

void loading_indicator(const Widgets&, const UiState& state) {
    const DarkColors dark;
    if (state.scene.ready && !state.status.scene.loading) return;
    const ImVec2 screen = ImGui::GetIO().DisplaySize;
    place_window({screen.x / 2, screen.y / 2}, {0.5f, 0.5f}, 0.6f);
    if (ImGui::Begin("loading", nullptr, kFiguresFloating)) {
        const int dots = static_cast<int>(ImGui::GetTime() * 3) % 4;
        ImGui::Text("%s%.*s", phrase("Opening {}", verbatim(state.requested.scene.source)).c_str(), dots, "...");
        if (state.scene.read >= 0)
            ImGui::ProgressBar(static_cast<float>(state.scene.read), {ImGui::GetFontSize() * 20, 0});
    }
    ImGui::End();
}

std::optional<Rectangle> title_card(const Widgets& ui, const UiState& state, const Fonts& fonts) {
    const TitleCard& card = state.scene.card;
    if (!state.scene.ready || (card.shown <= 0 && card.veil <= 0)) return std::nullopt;
    ImDrawList& draw = *ImGui::GetBackgroundDrawList();  // over the picture, under the panels
    const ImVec2 screen = ImGui::GetIO().DisplaySize;
    if (card.veil > 0) draw.AddRectFilled({0, 0}, screen, IM_COL32(0, 0, 0, opacity(card.veil, 255)));
    const TitlePlace place = title_place(state, ui.scale());
    if (place.room < kTitleLeast * ui.scale() || card.shown <= 0) return std::nullopt;
    const float pad = kTitlePadding * ui.scale(), wrap = place.room - 2 * pad;
    const std::string title{tr(card.title)}, watch{tr(card.watch)};
    const float large = fonts.large->FontSize, small = fonts.text->FontSize * 1.1f;
    const ImVec2 upper = fonts.large->CalcTextSizeA(large, wrap, wrap, title.c_str());
    const ImVec2 lower = watch.empty() ? ImVec2{} : fonts.text->CalcTextSizeA(small, wrap, wrap, watch.c_str());
    const ImVec2 end{place.at.x + std::max(upper.x, lower.x) + 2 * pad, place.at.y + upper.y + lower.y + 2 * pad};
    // A dark background keeps the text readable over bright bodies.
    draw.AddRectFilled(place.at, end, IM_COL32(10, 12, 16, opacity(card.shown, 165)), pad);
    const ImU32 ink = IM_COL32(235, 238, 245, opacity(card.shown, 255));
    const ImVec2 at{place.at.x + pad, place.at.y + pad};
    draw.AddText(fonts.large, large, at, ink, title.c_str(), nullptr, wrap);
    draw.AddText(fonts.text, small, {at.x, at.y + upper.y}, ink, watch.c_str(), nullptr, wrap);
    return Rectangle{place.at.x, place.at.y, end.x, end.y};
}

std::vector<LegendArea> legend_overlay(const Widgets& ui, const UiState& state, const Fonts& fonts) {
    const ImVec2 screen = ImGui::GetIO().DisplaySize;
    const float gap = 14 * ui.scale(), size = fonts.text->FontSize;
    const LegendPlace place{.left = gap + sidebar_width(state, ui.scale()),
                            .right = screen.x - gap,
                            .bottom = screen.y - gap - transport_height(state, ui.scale()),
                            .above_right = recording_indicator_shown(state) ? 3 * size : 0};
    Legend legend = state.picture.legend;
    if (const auto& seen = state.status.inspection; seen && seen->body)  // its ring shows the name
        std::erase_if(legend.labels, [&](const Label& label) { return label.text == seen->body->name; });
    legend.clock = in_local_unit(legend.clock);
    if (legend.colors) {
        const bool named = !state.picture.extent.field.empty();  // by the file
        legend.colors->title = named ? verbatim(legend.colors->title) : in_language(legend.colors->title);
        if (legend.colors->names)
            for (ColorTick& tick : legend.colors->ticks) tick.text = if_known(tick.text);
    }
    return draw_legend(*ImGui::GetBackgroundDrawList(), fonts.text, size, legend, place);
}

}  // namespace orrery
