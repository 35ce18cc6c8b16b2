// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <array>

#include "app/picture/compare_view.hpp"
#include "app/ui/panels.hpp"
#include "app/ui/plot.hpp"
#include "app/ui/words.hpp"

namespace orrery {
namespace {

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
        const ImVec2 at = ImGui::GetCursorScreenPos();
        const float y = at.y + ImGui::GetTextLineHeight() / 2;
        ImGui::GetWindowDrawList()->AddLine({at.x, y}, {at.x + 14 * scale, y}, curve.color, 2 * scale);
        ImGui::SetCursorPosX(ImGui::GetCursorPosX() + 18 * scale);
        ImGui::TextUnformatted(std::string{if_known(curve.name)}.c_str());
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
         "ms", state.history, kTimes, false);
    plot(ui, "Errors",
         "Relative errors since the scene began. Energy: |E − E0| / |E0|; momentum: |P − P0| / Σ m|v|; both in double "
         "precision. Force: relative RMS error against the double-precision reference, over sampled bodies",
         "relative", state.history, kErrors, true);
    const float half = (ImGui::GetContentRegionAvail().x - ImGui::GetStyle().ItemSpacing.x) / 2;
    if (ui.button("Export CSV",
                  "Writes all samples of these plots, four per second, as a table into the current folder", half))
        requests.ask(Command::kExportHistory);
    ImGui::SameLine();
    if (ui.button("Export SVG", "Writes these plots into the current folder", half))
        requests.ask(Command::kPlotHistory);
}

}  // namespace orrery
