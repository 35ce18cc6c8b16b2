// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <cmath>

#include "app/picture/compare_colors.hpp"
#include "app/picture/format.hpp"
#include "app/render/color_maps.hpp"
#include "app/ui/overlays.hpp"
#include "app/ui/panels.hpp"
#include "app/ui/plot.hpp"
#include "app/ui/words.hpp"

namespace orrery {
namespace {

constexpr float kCompareGap = 10, kCompareMostWidth = 860, kCompareLeastWidth = 420,
                kCompareHeight = 150;  // pixels at scale 1
constexpr int kCompareFloating = ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove |
                                 ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_AlwaysAutoResize |
                                 ImGuiWindowFlags_NoFocusOnAppearing | ImGuiWindowFlags_NoNav;

std::string engine_text(const char* which, const EngineConfig& e, const Timing& force) {
    const std::string time = force.count > 0 ? milliseconds_text(force.median) : std::string{"–"};
    return fmt::format("{}: {}, {} {}, {}", which, e.engine, name(e.backend), if_known(name(e.precision)), time);
}

/// A label over the picture, with its left (0) or right (1) edge at x. It wraps in a narrow room, and is omitted where
/// a word would not fit.
void badge(const char* id, const std::string& text, ImU32 color, float x, float y, float pivot, float room) {
    const float within = room - 2 * ImGui::GetStyle().WindowPadding.x;
    if (within < ImGui::CalcTextSize("reference,").x) return;
    ImGui::SetNextWindowPos({x, y}, ImGuiCond_Always, {pivot, 0});
    ImGui::SetNextWindowBgAlpha(0.6f);
    if (ImGui::Begin(id, nullptr, kCompareFloating | ImGuiWindowFlags_NoInputs)) {
        ImGui::PushStyleColor(ImGuiCol_Text, color);
        ImGui::PushTextWrapPos(ImGui::GetCursorPosX() + std::min(within, ImGui::CalcTextSize(text.c_str()).x + 1));
        ImGui::TextUnformatted(text.c_str());
        ImGui::PopTextWrapPos();
        ImGui::PopStyleColor();
    }
    ImGui::End();
}

/// A divider that can be dragged. Only its middle takes the mouse; elsewhere the mouse still moves the camera.
void divider(Widgets& ui, const UiState& state, const ComparePanes& panes, UiRequests& requests) {
    const ImVec2 screen = ImGui::GetIO().DisplaySize;
    const float wide = 18 * ui.scale(), high = 64 * ui.scale(), x = static_cast<float>(panes.divider);
    ImGui::GetBackgroundDrawList()->AddLine({x, 0}, {x, screen.y}, IM_COL32(255, 255, 255, 110), ui.scale());
    ImGui::SetNextWindowPos({x, screen.y / 2}, ImGuiCond_Always, {0.5f, 0.5f});
    ImGui::SetNextWindowSize({wide, high});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0, 0});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowMinSize, {1, 1});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 0);
    constexpr int flags = (kCompareFloating & ~ImGuiWindowFlags_AlwaysAutoResize) | ImGuiWindowFlags_NoBackground;
    if (ImGui::Begin("divider", nullptr, flags)) {
        const bool hovered = ui.canvas("Divider", wide, high, "Drag to change the share of A. Right click: half");
        const bool held = ImGui::IsItemActive();
        const ImVec2 at = ImGui::GetItemRectMin();
        ImGui::GetWindowDrawList()->AddRectFilled(
            {at.x + wide / 3, at.y}, {at.x + 2 * wide / 3, at.y + high},
            held || hovered ? IM_COL32(255, 255, 255, 230) : IM_COL32(255, 255, 255, 130), wide / 6);
        if (hovered || held) ImGui::SetMouseCursor(ImGuiMouseCursor_ResizeEW);
        CompareView view = state.compare_view;
        if (held)
            view.divider = std::clamp(
                (ImGui::GetMousePos().x - static_cast<float>(panes.left)) / (screen.x - static_cast<float>(panes.left)),
                0.05f, 0.95f);
        if (hovered && ImGui::IsMouseClicked(ImGuiMouseButton_Right)) view.divider = 0.5f;
        if (!(view == state.compare_view)) requests.compare_view = view;
    }
    ImGui::End();
    ImGui::PopStyleVar(3);
}

ImU32 screen_color(const Vec4f& linear) {
    const auto channel = [](float value) {
        const float s = value <= 0.0031308f ? 12.92f * value : 1.055f * std::pow(value, 1 / 2.4f) - 0.055f;
        return static_cast<int>(std::lround(255 * std::clamp(s, 0.0f, 1.0f)));
    };
    return IM_COL32(channel(linear.x), channel(linear.y), channel(linear.z), 255);
}

/// The colour scale of distances, with a power of ten at each end.
void distance_scale(const Widgets& ui, const UiState& state, float x, float y) {
    ImGui::SetNextWindowPos({x, y}, ImGuiCond_Always, {0, 0});
    ImGui::SetNextWindowBgAlpha(0.6f);
    if (ImGui::Begin("distance scale", nullptr, kCompareFloating | ImGuiWindowFlags_NoInputs)) {
        ImGui::TextUnformatted(std::string{tr("|x_B − x_A|, lengths of the scene")}.c_str());
        const float width = 220 * ui.scale(), height = 10 * ui.scale();
        const ImVec2 at = ImGui::GetCursorScreenPos();
        constexpr int kParts = 64;
        const ColorTable colors = color_table(color_map_for(state.view.color_map, ColorBy::kSpeed));
        for (int i = 0; i < kParts; ++i)
            ImGui::GetWindowDrawList()->AddRectFilled(
                {at.x + width * static_cast<float>(i) / kParts, at.y},
                {at.x + width * static_cast<float>(i + 1) / kParts, at.y + height},
                screen_color(colors[static_cast<std::size_t>(i * (kColorMapSize - 1) / (kParts - 1))]));
        ImGui::Dummy({width, height});
        const ScalarRange range = state.distances;
        const std::string low = fmt::format("{:.0e}", std::pow(10.0, range.low));
        const std::string high = fmt::format("{:.0e}", std::pow(10.0, range.high));
        ImGui::TextUnformatted(low.c_str());
        ImGui::SameLine(ImGui::GetWindowContentRegionMin().x + width - ImGui::CalcTextSize(high.c_str()).x);
        ImGui::TextUnformatted(high.c_str());
    }
    ImGui::End();
}

template <class Points, class Value>
PlotCurve comparison_curve(const Points& points, const char* label, const char* color, const char* bright,
                           const Value& value) {
    PlotCurve curve{.label = label, .color = color, .dashes = {}, .points = {}, .bright = bright};
    for (const auto& point : points) curve.points.push_back({point.time, value(point)});
    return curve;
}

void draw_comparison(const UiState& state, float width, float height, float scale) {
    const std::vector<PlotPanel> panels = compare_plots(state.status);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float half = width / 2;
    for (std::size_t i = 0; i < panels.size(); ++i)
        draw_plot(panels[i], {at.x + half * static_cast<float>(i), at.y}, {half, height}, scale);
    ImGui::Dummy({width, height});
    for (std::size_t i = 0; i < panels.size(); ++i) {
        if (i > 0) ImGui::SameLine(ImGui::GetStyle().WindowPadding.x + half * static_cast<float>(i));
        plot_legend(panels[i], scale);
    }
    const auto& divergence = state.status.compare.divergence;
    ImGui::SameLine(0, 16 * scale);
    ImGui::TextDisabled("%s", divergence && divergence->max == 0 ? std::string{tr("identical so far")}.c_str() : "");
}

void plot_window(const UiState& state, float scale) {
    const ImVec2 screen = ImGui::GetIO().DisplaySize, padding = ImGui::GetStyle().WindowPadding;
    const float gap = kCompareGap * scale, left = sidebar_width(state, scale) + gap;
    const float width = std::min(screen.x - left - gap, kCompareMostWidth * scale);
    const float height = std::min(kCompareHeight * scale, screen.y / 3);
    if (width < kCompareLeastWidth * scale || height < 0.7f * kCompareHeight * scale) return;  // too small to read
    ImGui::SetNextWindowPos({screen.x - gap, screen.y - gap - transport_height(state, scale)}, ImGuiCond_Always,
                            {1, 1});
    ImGui::SetNextWindowSize({width, 0});
    ImGui::SetNextWindowBgAlpha(0.86f);
    if (ImGui::Begin(kComparisonWindow, nullptr, kCompareFloating | ImGuiWindowFlags_NoBringToFrontOnFocus))
        draw_comparison(state, width - 2 * padding.x, height, scale);
    ImGui::End();
}

}  // namespace

std::vector<PlotPanel> compare_plots(const Status& status) {
    using namespace okabe_ito;
    const CompareStatus& c = status.compare;
    const double low = c.history.empty() ? c.time : c.history.front().time, high = std::max(c.time, status.time);
    const auto over_time = [&](const char* title, const char* unit, std::vector<PlotCurve> curves, PlotRange if_empty) {
        return PlotPanel{.title = title,
                         .x_label = "time of the scene",
                         .y_label = unit,
                         .curves = std::move(curves),
                         .marks = {},
                         .reference = std::nullopt,
                         .log_y = true,
                         .x_ends = PlotRange{low, high > low ? high : low + std::max(status.dt, 1e-12)},
                         .y_if_empty = if_empty};
    };
    PlotCurve most = comparison_curve(c.history, "maximum", kVermilion, kPurple, [](const auto& p) { return p.max; });
    most.name = "largest";
    const auto size = [](const EnergyPoint& p) { return std::abs(p.drift); };
    return {over_time("Distance between A and B", "|x_B − x_A|",
                      {std::move(most),
                       comparison_curve(c.history, "RMS", kGreen, kYellow, [](const auto& p) { return p.rms; })},
                      {1e-6, 1}),
            over_time("Energy since the comparison began", "|ΔE / E|",
                      {comparison_curve(c.energy_a, "A", kBlue, kSkyBlue, size),
                       comparison_curve(c.energy_b, "B", kOrange, kOrange, size)},
                      {1e-8, 1e-2})};
}

void compare_overlay(Widgets& ui, const UiState& state, UiRequests& requests) {
    const DarkColors dark;
    const CompareStatus& c = state.status.compare;
    if (!c.on) return;
    const float gap = kCompareGap * ui.scale(), screen = ImGui::GetIO().DisplaySize.x;
    const float sidebar = sidebar_width(state, ui.scale()), top = gap + groups_height(state, ui.scale());
    const ComparePanes panes = compare_panes(state.compare_view, static_cast<int>(screen), static_cast<int>(sidebar));
    const auto x = static_cast<float>(panes.divider);
    const std::string a =
        c.of_series ? std::string{tr("A: snapshots")} : engine_text("A", state.status.engine, state.status.force);
    const std::string b = engine_text("B", c.settings.engine, c.force);
    switch (state.compare_view.mode) {
        case CompareMode::kSplit:
        case CompareMode::kWipe:
            badge("badge A", a, kColorOfA, x - gap, top, 1, x - sidebar - 2 * gap);
            badge("badge B", b, kColorOfB, std::max(x, sidebar) + gap, top, 0, screen - std::max(x, sidebar) - 2 * gap);
            divider(ui, state, panes, requests);
            break;
        case CompareMode::kDifference:
            badge("badge B", b, kColorOfB, sidebar + gap, top, 0, screen - sidebar - 2 * gap);
            distance_scale(ui, state, sidebar + gap, top + 3 * ImGui::GetTextLineHeight());
            break;
        case CompareMode::kFlip:
            badge("badge", state.compare_view.show_b ? b : a, state.compare_view.show_b ? kColorOfB : kColorOfA,
                  sidebar + gap, top, 0, screen - sidebar - 2 * gap);
            break;
    }
    if (state.compare_view.plots && state.panels) plot_window(state, ui.scale());
}

}  // namespace orrery
