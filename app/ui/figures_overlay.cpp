// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <string>
#include <vector>

#include "app/picture/format.hpp"
#include "app/ui/engine_choice.hpp"
#include "app/ui/overlays.hpp"
#include "app/ui/panels.hpp"
#include "app/ui/words.hpp"

namespace orrery {
namespace {

constexpr int kFiguresFloating = ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove |
                                 ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_AlwaysAutoResize |
                                 ImGuiWindowFlags_NoFocusOnAppearing | ImGuiWindowFlags_NoNav |
                                 ImGuiWindowFlags_NoInputs;

struct Figure {
    std::string number, unit;
};

/// Number of bodies shown, how many bodies each represents, and their distance in the picture.
std::vector<Figure> cloud_figures(const UiState& state) {
    const CloudStatus& c = state.status.cloud;
    return {{short_number(static_cast<double>(c.shown)), std::string{tr("shown")}},
            {"≤ " + short_number(c.most), std::string{tr("each for")}},
            {c.spacing > 0 ? "≤ " + short_number(c.spacing) : "0", std::string{tr("px apart")}},
            {fmt::format("{:.0f}", state.performance.ui_fps), "fps"}};
}

/// A series reads its bodies from files: rates of steps and forces would describe nothing.
std::vector<Figure> series_figures(const UiState& state) {
    const Status& s = state.status;
    const auto& times = *s.series.times;
    const auto shown = std::ranges::upper_bound(times, s.time) - times.begin();
    return {s.paused ? Figure{std::string{tr("paused")}, ""}
                     : Figure{play_rate_text(s, s.series.rate), std::string{tr("a second")}},
            {fmt::format("{} / {}", shown, times.size()), std::string{tr("snapshot")}},
            {fmt::format("{:.0f}", state.performance.ui_fps), "fps"}};
}

/// Pairs per second, N² over the time, for engines that sum all pairs; bodies per second for others.
Figure rate_figure(const Status& s) {
    if (sums_all_pairs(s.engine, s.engine_report)) return {rate_text(s.pairs_per_second), std::string{tr("pairs/s")}};
    const double seconds = s.force.median;
    return {rate_text(seconds > 0 ? static_cast<double>(s.bodies) / seconds : 0), std::string{tr("bodies/s")}};
}

std::vector<Figure> figures(const UiState& state) {
    const Status& s = state.status;
    if (s.cloud.on) return cloud_figures(state);
    if (s.series.on) return series_figures(state);
    return {s.paused ? Figure{std::string{tr("paused")}, ""}
                     : Figure{rate_text(s.steps_per_second), std::string{tr("steps/s")}},
            {milliseconds_text(s.force.median), std::string{tr("force")}},
            rate_figure(s),
            {fmt::format("{:.0f}", state.performance.ui_fps), "fps"}};
}

/// Recorded time; while no frames are recorded, also the reason.
std::string recorded_text(const UiState& state) {
    const std::string frames = "REC  " + film_time_text(state.recording.now.seconds());
    if (!state.requested.paused || state.recording.now.ending) return frames;
    return frames + "; " +
           std::string{tr(state.recording.now.session.empty() ? "paused; only camera moves are recorded"
                                                              : "paused; a session does not record camera moves")};
}

bool hides_bodies(const UiState& state) { return (state.view.species.hidden() & state.scene.species_present).any(); }

std::string engine_line(const UiState& state) {
    const EngineConfig& e = state.status.engine;
    if (const CloudStatus& c = state.status.cloud; c.on) {
        const std::string all = phrase("of {} bodies", grouped(static_cast<std::int64_t>(c.bodies)));
        return c.reading ? fmt::format("{}, {}", all, tr("refining…")) : all;
    }
    std::string bodies = bodies_in_words(state.status.bodies);
    if (hides_bodies(state))
        bodies = phrase("{} of {}", grouped(static_cast<std::int64_t>(state.picture.bodies_drawn)), bodies);
    return phrase("{}, {} on {}, {}", bodies, e.engine, name(e.backend), if_known(name(e.precision)));
}

/// A number that ends at `number_end` and its unit from `unit_start`, on one base line.
void figure_row(const Figure& figure, const Fonts& fonts, float number_end, float unit_start) {
    const float top = ImGui::GetCursorPosY(), small = ImGui::GetFontSize();
    ImGui::PushFont(fonts.large);
    const float large = ImGui::GetFontSize();
    ImGui::SetCursorPosX(number_end - ImGui::CalcTextSize(figure.number.c_str()).x);
    ImGui::TextUnformatted(figure.number.c_str());
    ImGui::PopFont();
    constexpr float kAscent = 0.8f;  // height of the baseline, as a fraction of the font size
    ImGui::SetCursorPos({unit_start, top + kAscent * (large - small)});
    ImGui::TextDisabled("%s", figure.unit.c_str());
    ImGui::SetCursorPosY(top + 1.12f * large);
}

}  // namespace

void figures_overlay(const Widgets& ui, const UiState& state, const Fonts& fonts,
                     const std::optional<Rectangle>& title) {
    const DarkColors dark;
    const ImVec2 screen = ImGui::GetIO().DisplaySize;
    const float gap = 10 * ui.scale(), pad = ImGui::GetStyle().WindowPadding.x;
    const float left = sidebar_width(state, ui.scale()) + gap;
    const std::string line = engine_line(state);
    const std::vector<Figure> shown = figures(state);
    ImGui::PushFont(fonts.large);
    float number_width = ImGui::CalcTextSize("000.0 ms").x;
    for (const Figure& figure : shown)  // "paused" is longer in other languages
        number_width = std::max(number_width, ImGui::CalcTextSize(figure.number.c_str()).x);
    ImGui::PopFont();
    float unit_width = 0;
    for (const std::string_view unit : {"steps/s", "pairs/s", "bodies/s", "a second", "snapshot"})
        unit_width = std::max(unit_width, ImGui::CalcTextSize(std::string{tr(unit)}.c_str()).x);
    const float inner = std::max(ImGui::CalcTextSize(line.c_str()).x, number_width + gap + unit_width);
    if (left + inner + 2 * pad + gap > screen.x) return;  // no room beside the picture
    // In a narrow window the figures are below the row of groups.
    const bool beside = groups_width(state, ui.scale()) + inner + 2 * pad + 2 * gap <= screen.x;
    const float top = beside ? gap : gap + groups_height(state, ui.scale());
    if (title && title->x1 > screen.x - gap - inner - 2 * pad) return;
    ImGui::SetNextWindowPos({screen.x - gap, top}, ImGuiCond_Always, {1, 0});
    ImGui::SetNextWindowBgAlpha(0.45f);
    if (ImGui::Begin(kFiguresWindow, nullptr, kFiguresFloating)) {
        const float unit_start = pad + inner - unit_width;
        for (const Figure& figure : shown) figure_row(figure, fonts, unit_start - gap, unit_start);
        ImGui::SetCursorPosX(pad + inner - ImGui::CalcTextSize(line.c_str()).x);
        ImGui::TextDisabled("%s", line.c_str());
    }
    ImGui::End();
}

void recording_indicator(const Widgets& ui, const UiState& state) {
    const DarkColors dark;
    if (!state.recording.now.active) return;
    const ImVec2 screen = ImGui::GetIO().DisplaySize;
    const float gap = 10 * ui.scale();
    ImGui::SetNextWindowPos({screen.x - gap, screen.y - gap - transport_height(state, ui.scale())}, ImGuiCond_Always,
                            {1, 1});
    ImGui::SetNextWindowBgAlpha(0.6f);
    if (ImGui::Begin("recording", nullptr, kFiguresFloating)) {
        const float radius = ImGui::GetFontSize() * 0.38f;
        const ImVec2 at = ImGui::GetCursorScreenPos();
        ImGui::GetWindowDrawList()->AddCircleFilled({at.x + radius, at.y + ImGui::GetFontSize() / 2}, radius,
                                                    IM_COL32(235, 60, 50, 255));
        ImGui::SetCursorPosX(ImGui::GetCursorPosX() + 2 * radius + gap);
        ImGui::TextUnformatted(recorded_text(state).c_str());
    }
    ImGui::End();
}

void loading_indicator(const Widgets&, const UiState& state) {
    const DarkColors dark;
    if (state.scene.ready && !state.status.loading) return;
    const ImVec2 screen = ImGui::GetIO().DisplaySize;
    ImGui::SetNextWindowPos({screen.x / 2, screen.y / 2}, ImGuiCond_Always, {0.5f, 0.5f});
    ImGui::SetNextWindowBgAlpha(0.6f);
    if (ImGui::Begin("loading", nullptr, kFiguresFloating)) {
        const int dots = static_cast<int>(ImGui::GetTime() * 3) % 4;
        ImGui::Text("%s%.*s", phrase("Opening {}", state.requested.scene.source).c_str(), dots, "...");
        if (state.scene.read >= 0)
            ImGui::ProgressBar(static_cast<float>(state.scene.read), {ImGui::GetFontSize() * 20, 0});
    }
    ImGui::End();
}

}  // namespace orrery
