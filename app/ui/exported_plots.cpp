// SPDX-License-Identifier: MIT
#include "app/ui/exported_plots.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>

#include "core/plot/plot.hpp"

namespace orrery {
namespace {

// M. Okabe & K. Ito, "Color Universal Design", 2008: the colours that are dark enough for white paper.
constexpr const char *kBlue = "#0072b2", *kOrange = "#e69f00", *kExportedGreen = "#009e73", *kRed = "#d55e00";

/// A curve of the points that `points_of(add)` adds; unknown values are skipped.
template <class PointsOf>
PlotCurve curve(const char* label, const char* color, const PointsOf& points_of) {
    PlotCurve curve{.label = label, .color = color, .dashes = {}, .points = {}};
    points_of([&](double x, std::optional<double> y) {
        if (y) curve.points.push_back({x, *y});
    });
    return curve;
}

PlotPanel logarithmic(const char* title, const char* x, const char* y, std::vector<PlotCurve> curves) {
    return {.title = title,
            .x_label = x,
            .y_label = y,
            .curves = std::move(curves),
            .marks = {},
            .reference = std::nullopt,
            .log_y = true};
}

/// Over wall time, with now at the right end.
PlotCurve of_history(const History& history, const char* label, const char* color, bool of_scene,
                     std::optional<double> (*value)(const HistorySample&)) {
    const auto& samples = history.samples();
    return curve(label, color, [&](const auto& add) {
        for (const HistorySample& s : samples)
            if (!of_scene || s.scene_serial == samples.back().scene_serial)
                add(s.seconds - samples.back().seconds, value(s));
    });
}

template <class Points, class Value>
PlotCurve over_time(const Points& points, const char* label, const char* color, const Value& value) {
    return curve(label, color, [&](const auto& add) {
        for (const auto& point : points) add(point.time, value(point));
    });
}

}  // namespace

std::string history_svg(const History& history, const std::string& title) {
    using Sample = HistorySample;
    const PlotPanel times = logarithmic(
        "Times", "seconds ago", "ms",
        {of_history(history, "longest frame", kBlue, false, [](const Sample& s) { return std::optional{s.frame_ms}; }),
         of_history(history, "one force evaluation", kOrange, false, [](const Sample& s) { return s.force_ms; }),
         of_history(history, "UI, CPU time", kExportedGreen, false,
                    [](const Sample& s) { return std::optional{s.ui_ms}; })});
    const PlotPanel errors = logarithmic(
        "Errors", "seconds ago", "relative",
        {of_history(history, "energy: |E − E0| / |E0|", kBlue, true, [](const Sample& s) { return s.energy; }),
         of_history(history, "momentum: |P − P0| / Σ m|v|", kOrange, true, [](const Sample& s) { return s.momentum; }),
         of_history(history, "force: relative RMS", kExportedGreen, true, [](const Sample& s) { return s.error; })});
    return plot(title, "the last minutes in the window", {times, errors}, 2);
}

std::string compare_svg(const CompareStatus& status, const std::string& title) {
    const auto size = [](const EnergyPoint& p) { return std::optional{std::abs(p.drift)}; };
    const PlotPanel far = logarithmic(
        "Distance between A and B", "time of the scene", "|x_B − x_A|",
        {over_time(status.history, "maximum", kRed, [](const DivergencePoint& p) { return std::optional{p.max}; }),
         over_time(status.history, "RMS", kExportedGreen,
                   [](const DivergencePoint& p) { return std::optional{p.rms}; })});
    const PlotPanel energy =
        logarithmic("Energy since the comparison began", "time of the scene", "|E − E0| / |E0|",
                    {over_time(status.energy_a, "A", kBlue, size), over_time(status.energy_b, "B", kOrange, size)});
    return plot(title, "B compared with A", {far, energy}, 2);
}

std::string diagnostics_svg(const DiagnosticsHistory& history, const std::string& title) {
    return plot_diagnostics(diagnostics_table(history), title, "measured during the run");
}

}  // namespace orrery
