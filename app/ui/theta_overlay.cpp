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

struct Series {
    int order;
    const char* name;
    ImU32 color;
    Marker marker;
};
constexpr auto kSeries = std::to_array<Series>({{1, "monopoles", IM_COL32(230, 159, 0, 255), Marker::kCircle},
                                                {2, "quadrupoles", IM_COL32(86, 180, 233, 255), Marker::kSquare},
                                                {4, "order 4", IM_COL32(230, 159, 0, 255), Marker::kCircle},
                                                {6, "order 6", IM_COL32(86, 180, 233, 255), Marker::kSquare}});
constexpr ImU32 kNow = IM_COL32(255, 255, 255, 255);

/// Error over θ, or error over time.
void draw_series(const Plot& plot, const ThetaSweep& sweep, bool over_time) {
    for (const Series& series : kSeries) {
        std::vector<ImVec2> values;
        for (const ThetaPoint& point : sweep.points)
            if (point.order == series.order)
                values.emplace_back(static_cast<float>(over_time ? 1e3 * point.seconds : point.theta),
                                    static_cast<float>(point.error.rms));
        plot.line(values, (series.color & 0xffffffu) | 0x90000000u);
        for (const ImVec2 value : values) plot.marker(value.x, value.y, series.marker, series.color);
    }
}

/// Whether the current engine can be shown among the points: they must have the same number of bodies.
bool comparable(const Status& status) {
    return status.error && status.force.count > 0 && status.bodies == status.theta_sweep.bodies;
}

void plots(const UiState& state, float width, float height, float scale) {
    const ThetaSweep& sweep = state.status.theta_sweep;
    std::vector<double> errors, times;
    for (const ThetaPoint& point : sweep.points)
        errors.push_back(point.error.rms), times.push_back(1e3 * point.seconds);
    const bool now = comparable(state.status);
    if (now) errors.push_back(state.status.error->rms), times.push_back(1e3 * state.status.force.median);
    std::erase_if(errors, [](double error) { return !(error > 0); });
    const Axis error = around("relative RMS error", errors, 1e-5, 1e-2);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float half = width / 2;
    const Plot over_theta{at, {half, height}, {"opening angle θ", 0.25, 1.05, Scale::kLinear}, error, scale};
    const Plot over_time{
        {at.x + half, at.y}, {half, height}, around("time of one evaluation, ms", times, 1, 100), error, scale};
    draw_series(over_theta, sweep, false);
    draw_series(over_time, sweep, true);
    if (now) {
        const double rms = state.status.error->rms;
        over_time.marker(1e3 * state.status.force.median, rms, Marker::kDiamond, kNow);
        if (state.status.engine.tree.theta > 0)
            over_theta.marker(state.status.engine.tree.theta, rms, Marker::kDiamond, kNow);
    }
    ImGui::Dummy({width, height});
}

void legend_entry(const char* name, Marker marker, ImU32 color, float scale) {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float line = ImGui::GetTextLineHeight();
    Plot::draw_marker(*ImGui::GetWindowDrawList(), {at.x + 6 * scale, at.y + line / 2}, marker, 4 * scale, color);
    ImGui::SetCursorPosX(ImGui::GetCursorPosX() + 16 * scale);
    ImGui::TextUnformatted(std::string{if_known(name)}.c_str());
    ImGui::SameLine(0, 18 * scale);
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
        requests.change([](UiState& now) { now.plots.theta = false; });
    }
}

}  // namespace

void theta_overlay(Widgets& ui, const UiState& state, UiRequests& requests) {
    const DarkColors dark;
    const ThetaSweep& sweep = state.status.theta_sweep;
    if (!state.plots.theta || state.layout.panel != "engine" || sweep.planned == 0) return;
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
        plots(state, width - 2 * padding.x, height, ui.scale());
        for (const Series& series : kSeries)
            if (std::ranges::find(sweep.points, series.order, &ThetaPoint::order) != sweep.points.end())
                legend_entry(series.name, series.marker, series.color, ui.scale());
        if (comparable(state.status)) legend_entry("current engine", Marker::kDiamond, kNow, ui.scale());
        ImGui::TextDisabled("%s", progress_text(sweep).c_str());
    }
    ImGui::End();
}

}  // namespace orrery
