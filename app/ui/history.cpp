// SPDX-License-Identifier: MIT
#include "app/ui/history.hpp"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <initializer_list>

#include "app/ui/panels.hpp"
#include "app/ui/plot.hpp"

namespace orrery {
namespace {

std::optional<double> size(std::optional<double> value) {
    return value ? std::optional{std::abs(*value)} : std::nullopt;
}

std::string field(std::optional<double> value) { return value ? fmt::format("{:.6g}", *value) : std::string{}; }

/// The samples with now at the right end; `of_scene` leaves out those of other scenes.
PlotPanel over_wall_time(const History& history, const char* title, const char* unit, bool of_scene,
                         std::vector<PlotCurve> curves,
                         std::initializer_list<std::optional<double> (*)(const HistorySample&)> values) {
    double first = -10;
    const auto& samples = history.samples();
    for (const HistorySample& sample : samples) {
        if (of_scene && sample.scene_serial != samples.back().scene_serial) continue;
        const double ago = sample.seconds - samples.back().seconds;
        for (std::size_t i = 0; i < curves.size(); ++i)
            if (const auto value = values.begin()[i](sample))
                curves[i].points.push_back({ago, *value}), first = std::min(first, ago);
    }
    return {.title = title,
            .x_label = "seconds ago",
            .y_label = unit,
            .curves = std::move(curves),
            .marks = {},
            .reference = std::nullopt,
            .log_y = true,
            .x_ends = PlotRange{first, 0},
            .y_if_empty = {1e-3, 1}};
}

PlotCurve history_curve(std::size_t i, const char* name, const char* label) {
    using namespace okabe_ito;
    struct Ink {
        const char *paper, *bright;
    };
    constexpr std::array kInks{Ink{kBlue, kSkyBlue}, Ink{kOrange, kOrange}, Ink{kGreen, kGreen}};
    return {
        .label = label, .color = kInks[i].paper, .dashes = {}, .points = {}, .name = name, .bright = kInks[i].bright};
}

}  // namespace

void History::add(double seconds, double frame_ms, double ui_ms, const Status& status) {
    longest_ms_ = std::max(longest_ms_, frame_ms);
    if (!samples_.empty() && seconds - samples_.back().seconds < kPeriod) return;
    HistorySample sample{.seconds = seconds, .frame_ms = longest_ms_, .ui_ms = ui_ms};
    if (status.force.count > 0) sample.force_ms = 1e3 * status.force.median;
    sample.energy = size(status.energy_drift());
    sample.momentum = size(status.momentum_drift());
    if (status.error) sample.error = status.error->rms;
    sample.time = status.time;
    sample.scene_serial = status.scene_serial;
    samples_.push_back(sample);
    longest_ms_ = 0;
    while (seconds - samples_.front().seconds > kSpan) samples_.pop_front();
}

std::vector<PlotPanel> history_plots(const History& history) {
    using Sample = HistorySample;
    return {over_wall_time(
                history, "Times", "ms", false,
                {history_curve(0, "frame", "longest frame"), history_curve(1, "force", "one force evaluation"),
                 history_curve(2, "UI", "UI, CPU time")},
                {[](const Sample& s) { return std::optional{s.frame_ms}; }, [](const Sample& s) { return s.force_ms; },
                 [](const Sample& s) { return std::optional{s.ui_ms}; }}),
            over_wall_time(history, "Errors", "relative", true,
                           {history_curve(0, "energy", "energy: |E − E0| / |E0|"),
                            history_curve(1, "momentum", "momentum: |P − P0| / Σ m|v|"),
                            history_curve(2, "force", "force: relative RMS")},
                           {[](const Sample& s) { return s.energy; }, [](const Sample& s) { return s.momentum; },
                            [](const Sample& s) { return s.error; }})};
}

std::string history_csv(const History& history) {
    std::string text =
        "wall_seconds,scene_time,scene_serial,frame_ms,ui_cpu_ms,force_ms,energy_drift,momentum_drift,rms_error\n";
    for (const HistorySample& s : history.samples())
        text += fmt::format("{:.3f},{:.9g},{},{:.3f},{:.3f},{},{},{},{}\n", s.seconds, s.time, s.scene_serial,
                            s.frame_ms, s.ui_ms, field(s.force_ms), field(s.energy), field(s.momentum), field(s.error));
    return text;
}

namespace {

constexpr float kHistoryHeight = 132;  // pixels at scale 1
}  // namespace

void history_panel(Widgets& ui, const UiState& state, UiRequests& requests) {
    performance_figures(ui, state);
    ImGui::Spacing();
    const std::vector<PlotPanel> plots = history_plots(state.history);
    constexpr std::array kTips{
        "Times in ms over the last five minutes. Frame: the longest frame; force: one evaluation, median of 64; UI: "
        "CPU time of panels and overlays per frame, median of 64",
        "Relative errors since the scene began. Energy: |E − E0| / |E0|; momentum: |P − P0| / Σ m|v|; both in double "
        "precision. Force: relative RMS error against the double-precision reference, over sampled bodies"};
    for (std::size_t i = 0; i < plots.size(); ++i) {
        plot_canvas(ui, plots[i], kHistoryHeight, kTips[i]);
        plot_legend(plots[i], ui.scale());
        ImGui::Spacing();
    }
    const float half = (ImGui::GetContentRegionAvail().x - ImGui::GetStyle().ItemSpacing.x) / 2;
    if (ui.button("Export CSV",
                  "Writes all samples of these plots, four per second, as a table into the current folder", half))
        requests.ask(Command::kExportHistory);
    ImGui::SameLine();
    if (ui.button("Export SVG", "Writes these plots into the current folder", half))
        requests.ask(Command::kPlotHistory);
}

}  // namespace orrery
