// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <imgui.h>

#include <array>
#include <cmath>

#include "app/picture/format.hpp"
#include "app/ui/panels.hpp"
#include "app/ui/structure_plots.hpp"

namespace orrery {
namespace {

/// Small numbers with an exponent: all three fit in a line.
std::string component_text(double x) {
    return std::abs(x) < 0.01 ? fmt::format("{:.1e}", x) : fmt::format("{:.4g}", x);
}

std::string vector_text(Vec3d v) {
    return fmt::format("{}, {}, {}", component_text(v.x), component_text(v.y), component_text(v.z));
}

void figures(Widgets& ui, const Status& s) {
    const Structure& now = *s.structure.now;
    ui.value(
        "Age", age_text(s.structure.taken, s.step - s.structure.step),
        "Of the state that all this is of, in wall time and in steps. It is worked out in the background, so often "
        "that it takes 5 % of the time; less often, and with nothing to do, where the bodies rest");
    ui.value("Cost", fmt::format("{} every {:.1f} s", milliseconds_text(s.structure.seconds), s.structure.period),
             "What one takes of the simulation's time: the copy of the bodies, and CPU time per core; and the time "
             "from one to the next at least, so that it is 5 %");
    if (now.closest)
        ui.value("Closest",
                 fmt::format("{:.3g}: {} and {}", now.closest->distance, now.closest->first, now.closest->second),
                 "Distance of the two bodies nearest to each other, exact, in lengths of the scene, and their numbers");
    ui.value(
        "Dense centre", vector_text(now.centre),
        "By shrinking spheres (Power et al. 2003): the mass centre of ever fewer bodies, down to 1 % of them or 32. "
        "Radii are measured from here");
    ui.value("Mass centre", vector_text(now.motion.mass_centre), "Σ m x / Σ m of all bodies, in lengths of the scene");
}

/// Returns the plot that is open. Beside their names, what writes them.
const StructurePlotEntry& plots_row(Widgets& ui, const UiState& state, Wishes& wishes) {
    const StructurePlotEntry* open = structure_plots().data();
    ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {4 * ui.scale(), ImGui::GetStyle().FramePadding.y});
    for (const StructurePlotEntry& entry : structure_plots()) {
        if (entry.id == state.structure_plot) open = &entry;
        if (&entry != structure_plots().data()) ImGui::SameLine();
        if (ui.tab(entry.label, entry.id == state.structure_plot, entry.doc)) wishes.structure_plot = entry.id;
    }
    ImGui::SameLine();
    if (ui.button("CSV",
                  "All that these plots are of, and energies where they are known, a row per state, as a table in the "
                  "current folder; and the density profile of now as another"))
        wishes.ask(Command::kExportDiagnostics);
    ImGui::SameLine();
    if (ui.button("SVG", "Lagrangian radii and the change of energy over time as a picture, in the current folder"))
        wishes.ask(Command::kPlotDiagnostics);
    ImGui::PopStyleVar();
    return *open;
}

}  // namespace

void structure_panel(Widgets& ui, const UiState& state, Wishes& wishes) {
    const StructureStatus& s = state.status.structure;
    if (!s.now) return ui.note(s.note.empty() ? "being computed" : s.note);
    plots_row(ui, state, wishes).draw(ui, state);
    figures(ui, state.status);
    if (!s.note.empty()) ui.note(s.note);
}

}  // namespace orrery
