// SPDX-License-Identifier: MIT
#include <imgui.h>

#include <array>

#include "app/ui/panels.hpp"
#include "app/ui/plot.hpp"
#include "app/ui/words.hpp"

namespace orrery {
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
