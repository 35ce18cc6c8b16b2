// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <array>

#include "app/picture/compare_view.hpp"
#include "app/picture/format.hpp"
#include "app/ui/engine_choice.hpp"
#include "app/ui/panels.hpp"
#include "app/ui/pen.hpp"
#include "app/ui/plot.hpp"
#include "app/ui/words.hpp"
#include "core/physics/flop.hpp"
#include "core/physics/units.hpp"

namespace orrery {
namespace {

constexpr double kLongForce = 0.5;  // seconds; longer evaluations show a progress bar

/// Median and spread have a line each: together they would sometimes wrap, and move what is below under the mouse.
std::string spread_text(const Timing& force) {
    return fmt::format("{} to {}", milliseconds_text(force.low), milliseconds_text(force.high));
}

/// The current figures.
void performance_figures(Widgets& ui, const UiState& state) {
    const Status& s = state.status;
    ui.value("Window", phrase("{:.0f} fps", state.performance.ui_fps), "Frames per second of the window, over the last second");
    ui.value("Bodies", grouped(s.bodies));
    const std::string rate =
        s.pace.paused ? phrase("paused") : (s.pace.reversed ? "−" : "") + rate_text(s.pace.steps_per_second, "/s");
    if (s.source.series.on)
        ui.value("Steps", "none: a series is played", "The bodies come from files, not from steps");
    else
        ui.value("Steps", phrase("{}, {} done", rate, grouped(s.step)),
                 "Steps of dt per second of wall time, and since the start of the scene");
    ui.value("Time", clock_text(s.time, s.scene.days_per_time, s.scene.scale_factor),
             "Simulated time, in the units of the scene");
    const bool timed = s.force.timing.count > 0;
    ui.value("Force", timed ? milliseconds_text(s.force.timing.median) : "–",
             "Time of one evaluation of all forces: median of the last 64");
    ui.value("Spread", timed ? spread_text(s.force.timing) : "–", "10th to 90th percentile of the last 64 evaluations");
    if (sums_all_pairs(s.engine.config, s.engine.report))
        ui.value("Pairs", rate_text(s.force.pairs_per_second, "/s"),
                 phrase("N² divided by the median force time, whatever symmetry the engine exploits; {} GFLOP/s at 20 "
                        "floating-point operations a pair, as GPU Gems 3 counts",
                        short_number(gflops(s.force.pairs_per_second))));
    else
        ui.value(
            "Rate",
            timed ? phrase("{} bodies/s", short_number(static_cast<double>(s.bodies) / s.force.timing.median)) : "–",
            "Bodies divided by the median force time: this engine does not sum all pairs");
    // Always draw this line: what is below must not jump under the mouse.
    constexpr std::string_view tip = "Progress of the current evaluation, if it takes longer than half a second";
    if (s.force.progress > 0 && (s.force.timing.median > kLongForce || s.force.timing.count == 0))
        ui.progress("Progress", s.force.progress, tip);
    else
        ui.value("Progress", "–", tip);
}

constexpr float kHistoryHeight = 132;  // pixels at scale 1
constexpr ImU32 kHistoryGreen = IM_COL32(0, 158, 115, 255);

struct Curve {
    const char* name;
    ImU32 color;
    std::optional<double> (*value)(const HistorySample&);
};

constexpr auto kTimes = std::to_array<Curve>({
    {"frame", kColorOfA, [](const HistorySample& s) { return std::optional{s.frame_ms}; }},
    {"force", kColorOfB, [](const HistorySample& s) { return s.force_ms; }},
    {"UI", kHistoryGreen, [](const HistorySample& s) { return std::optional{s.ui_ms}; }},
});
constexpr auto kErrors = std::to_array<Curve>({
    {"energy", kColorOfA, [](const HistorySample& s) { return s.energy; }},
    {"momentum", kColorOfB, [](const HistorySample& s) { return s.momentum; }},
    {"force", kHistoryGreen, [](const HistorySample& s) { return s.error; }},
});

void legend(std::span<const Curve> curves, float scale) {
    for (const Curve& curve : curves) {
        legend_line(curve.name, curve.color, 14 * scale, 18 * scale, 2 * scale);
        if (&curve != &curves.back()) ImGui::SameLine(0, 16 * scale);
    }
}

/// Over wall time, with now at the right end. `of_scene` leaves out samples of other scenes.
void plot(Widgets& ui, const char* label, const char* tip, const char* unit, const History& history,
          std::span<const Curve> curves, bool of_scene) {
    const auto& samples = history.samples();
    const float width = ImGui::GetContentRegionAvail().x, height = ui.plot_height(kHistoryHeight);
    ui.canvas(label, width, height, tip);
    const ImVec2 at = ImGui::GetItemRectMin();
    std::vector<std::vector<ImVec2>> lines(curves.size());
    std::vector<double> heights;
    const double now = samples.empty() ? 0 : samples.back().seconds;
    double first = 0;
    for (const HistorySample& sample : samples) {
        if (of_scene && sample.scene_serial != samples.back().scene_serial) continue;
        for (std::size_t i = 0; i < curves.size(); ++i) {
            const auto value = curves[i].value(sample);
            if (!value || !(*value > 0)) continue;
            lines[i].emplace_back(static_cast<float>(sample.seconds - now), static_cast<float>(*value));
            heights.push_back(*value);
            first = std::min(first, sample.seconds - now);
        }
    }
    const Axis x{"seconds ago", std::min(first, -10.0), 0, Scale::kLinear};
    const Plot frame{at, {width, height}, x, around(unit, heights, 1e-3, 1), ui.scale()};
    for (std::size_t i = 0; i < curves.size(); ++i) frame.line(lines[i], curves[i].color);
    legend(curves, ui.scale());
    ImGui::Spacing();
}

}  // namespace

void history_panel(Widgets& ui, const UiState& state, UiRequests& requests) {
    performance_figures(ui, state);
    ImGui::Spacing();
    plot(ui, "Times",
         "Times in ms over the last five minutes. Frame: the longest frame; force: one evaluation, median of 64; UI: "
         "CPU time of panels and overlays per frame, median of 64",
         "ms", state.performance.history, kTimes, false);
    plot(ui, "Errors",
         "Relative errors since the scene began. Energy: |E − E0| / |E0|; momentum: |P − P0| / Σ m|v|; both in double "
         "precision. Force: relative RMS error against the double-precision reference, over sampled bodies",
         "relative", state.performance.history, kErrors, true);
    const float half = column_width(2);
    if (ui.button("Export CSV",
                  "Writes all samples of these plots, four per second, as a table into the current folder", half))
        requests.ask(Command::kExportHistory);
    ImGui::SameLine();
    if (ui.button("Export SVG", "Writes these plots into the current folder", half))
        requests.ask(Command::kPlotHistory);
}

}  // namespace orrery
