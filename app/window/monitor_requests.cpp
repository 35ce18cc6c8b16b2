// SPDX-License-Identifier: MIT
#include "app/window/monitor_requests.hpp"

#include <algorithm>

#include "app/window/opening/opening_walk.hpp"
#include "core/analysis/analyses.hpp"

namespace orrery {

void MonitorRequests::end_frame() {
    const UiState& state = core_.state;
    SimulationLink& simulation = core_.simulation;
    const bool cells = state.view.octree.on || state.own.of<OpeningState>().on;
    follow(cells_, cells, [&](bool on) { simulation.send(SetCells{on ? kMostCells : 0}); });
    follow(differences_, state.comparison.view.mode == CompareMode::kDifference,
           [&](bool on) { simulation.send(SetDifferences{on}); });
    const TrailView& trails = state.view.trails;
    follow(trails_, trails.on ? std::max(1, trails.every) : 0, [&](int every) { simulation.send(SetTrails{every}); });
    follow(mass_centre_, core_.camera.state().follow == Follow::kCentreOfMass,
           [&](bool on) { simulation.send(WatchCentreOfMass{on}); });
    const bool plots = (state.layout.panels && state.layout.panel == "plots") ||
                       (state.sight.settings.contours && analysis_of(state.plots.analysis.kind).in_plane);
    follow(plot_, plots ? std::optional{state.plots.analysis} : std::nullopt, [&](const auto& settings) {
        simulation.send(WatchAnalysis{settings ? std::make_shared<const AnalysisSettings>(*settings) : nullptr});
    });
    update_colors();
}

void MonitorRequests::update_colors() {
    const ViewSettings& view = core_.state.view;
    const ColorBy by = color_mode(view.color_mode).by;
    follow(colors_, SetColorBy{by, by == ColorBy::kField ? view.color_field : std::string{}},
           [&](const SetColorBy& colors) { recording_.act(colors); });
    follow(fields_, fields_drawn(view), [&](const std::string& list) { core_.simulation.send(LoadFields{list}); });
    if (by == ColorBy::kSightLine)
        follow(sight_line_, sight_line_of(core_.camera.camera()),
               [&](Vec3d along) { core_.simulation.send(SetSightLine{along}); });
}

}  // namespace orrery
