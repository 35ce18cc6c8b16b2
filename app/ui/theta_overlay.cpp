// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "app/picture/format.hpp"
#include "app/ui/overlays.hpp"
#include "app/ui/panels.hpp"
#include "app/ui/plot.hpp"
#include "app/ui/words.hpp"

namespace orrery {
namespace {

constexpr float kThetaGap = 10, kThetaMostWidth = 860, kThetaLeastWidth = 420, kThetaHeight = 290;  // pixels at scale 1

/// Whether the current engine can be shown among the points: they must have the same number of bodies.
bool comparable(const Status& status) {
    return status.error && status.force.count > 0 && status.bodies == status.theta_sweep.bodies;
}

/// The points by order of the expansions, and the current engine: error over θ, or error over time in ms.
std::vector<PlotCurve> error_curves(const Status& status, bool over_time) {
    struct Series {
        int order;
        const char *name, *color;
        Marker marker;
    };
    using namespace okabe_ito;
    constexpr auto kSeries = std::to_array<Series>({{1, "monopoles", kOrange, Marker::kCircle},
                                                    {2, "quadrupoles", kSkyBlue, Marker::kSquare},
                                                    {4, "order 4", kOrange, Marker::kCircle},
                                                    {6, "order 6", kSkyBlue, Marker::kSquare}});
    std::vector<PlotCurve> curves;
    for (const Series& series : kSeries) {
        PlotCurve curve{
            .label = series.name, .color = series.color, .dashes = {}, .points = {}, .marker = series.marker};
        for (const ThetaPoint& point : status.theta_sweep.points)
            if (point.order == series.order)
                curve.points.push_back({over_time ? 1e3 * point.seconds : point.theta, point.error.rms});
        if (!curve.points.empty()) curves.push_back(std::move(curve));
    }
    if (!comparable(status)) return curves;
    PlotCurve now{
        .label = "current engine", .color = "#ffffff", .dashes = {}, .points = {}, .marker = Marker::kDiamond};
    const double theta = status.engine.tree.theta;
    if (over_time || theta > 0)
        now.points.push_back({over_time ? 1e3 * status.force.median : theta, status.error->rms});
    curves.push_back(std::move(now));
    return curves;
}

/// Error over θ and over time, with one legend.
void draw_theta_plots(const UiState& state, float width, float height, float scale) {
    PlotPanel over_time{.title = {},
                        .x_label = "time of one evaluation, ms",
                        .y_label = "relative RMS error",
                        .curves = error_curves(state.status, true),
                        .marks = {},
                        .reference = std::nullopt,
                        .log_x = true,
                        .log_y = true,
                        .y_if_empty = {1e-5, 1e-2}};
    PlotPanel over_theta = over_time;
    over_theta.x_label = "opening angle θ", over_theta.log_x = false, over_theta.x_ends = PlotRange{0.25, 1.05};
    over_theta.curves = error_curves(state.status, false);
    for (const PlotCurve& curve : over_time.curves)  // the same y axis, also without θ of the current engine
        for (const PlotPoint& point : curve.points) over_theta.y_shown.push_back(point.y);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float half = width / 2;
    draw_plot(over_theta, at, {half, height}, scale);
    draw_plot(over_time, {at.x + half, at.y}, {half, height}, scale);
    ImGui::Dummy({width, height});
    plot_legend(over_time, scale);
    if (!over_time.curves.empty()) ImGui::SameLine(0, 18 * scale);
}

std::string progress_text(const ThetaSweep& sweep) {
    if (!sweep.failure.empty()) return sweep.failure;
    if (sweep.points.size() == sweep.planned) return sweep.running ? std::string{tr("timed once more")} : "";
    const std::string of = phrase("{} of {}", sweep.points.size(), sweep.planned);
    return sweep.running ? of : of + ", " + std::string{tr("stopped")};
}

void buttons(Widgets& ui, const ThetaSweep& sweep, UiRequests& requests) {
    const float width = 130 * ui.scale();
    ImGui::SameLine(ImGui::GetWindowContentRegionMax().x - width);
    if (sweep.running) {
        if (ui.button("Stop measuring", "The results so far are kept", width)) requests.ask(MeasureTheta{false});
    } else if (ui.button("Close plot", "The button in the Forces tab starts a new measurement", width)) {
        requests.theta_plot = false;
    }
}

}  // namespace

void theta_overlay(Widgets& ui, const UiState& state, UiRequests& requests) {
    const DarkColors dark;
    const ThetaSweep& sweep = state.status.theta_sweep;
    if (!state.theta_plot || state.panel != "engine" || sweep.planned == 0) return;
    const ImVec2 screen = ImGui::GetIO().DisplaySize, padding = ImGui::GetStyle().WindowPadding;
    const float gap = kThetaGap * ui.scale(), left = sidebar_width(state, ui.scale()) + gap;
    const float width = std::min(screen.x - left - gap, kThetaMostWidth * ui.scale());
    const float words = 3 * ImGui::GetTextLineHeightWithSpacing() + 2 * padding.y;
    const float height =
        std::min(kThetaHeight * ui.scale(), screen.y - 2 * gap - words - transport_height(state, ui.scale()));
    if (width < kThetaLeastWidth * ui.scale() || height < 0.5f * kThetaHeight * ui.scale())
        return;  // too small to read
    ImGui::SetNextWindowPos({screen.x - gap, screen.y - gap - transport_height(state, ui.scale())}, ImGuiCond_Always,
                            {1, 1});
    ImGui::SetNextWindowSize({width, 0});
    ImGui::SetNextWindowBgAlpha(0.86f);
    constexpr int flags = ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings |
                          ImGuiWindowFlags_NoFocusOnAppearing | ImGuiWindowFlags_NoNav |
                          ImGuiWindowFlags_AlwaysAutoResize | ImGuiWindowFlags_NoBringToFrontOnFocus;
    if (ImGui::Begin(kThetaWindow, nullptr, flags)) {
        ImGui::AlignTextToFramePadding();
        ImGui::TextUnformatted(phrase("Error against θ: {}, {} bodies", sweep.engine, grouped(sweep.bodies)).c_str());
        buttons(ui, sweep, requests);
        draw_theta_plots(state, width - 2 * padding.x, height, ui.scale());
        ImGui::TextDisabled("%s", progress_text(sweep).c_str());
    }
    ImGui::End();
}

}  // namespace orrery
