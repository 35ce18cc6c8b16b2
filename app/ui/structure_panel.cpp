// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <imgui.h>

#include <array>
#include <cmath>

#include "app/picture/format.hpp"
#include "app/ui/panels.hpp"
#include "app/ui/structure_plots.hpp"
#include "app/ui/words.hpp"

namespace orrery {
namespace {

/// Small numbers with an exponent, so that three fit in a line.
std::string component_text(double x) {
    return std::abs(x) < 0.01 ? fmt::format("{:.1e}", x) : fmt::format("{:.4g}", x);
}

std::string vector_text(Vec3d v) {
    return fmt::format("{}, {}, {}", component_text(v.x), component_text(v.y), component_text(v.z));
}

void figures(Widgets& ui, const Status& s) {
    const Structure& now = *s.structure.now;
    ui.value("Age", age_phrase(s.structure.taken, s.step - s.structure.step),
             "Age of the state that this tab describes, in wall time and in steps. The analysis runs in the "
             "background, as often as 5 % of the time allows");
    ui.value("Cost", phrase("{} every {:.1f} s", milliseconds_text(s.structure.seconds), s.structure.period),
             "Time that one analysis takes from the simulation: copying the bodies, and CPU time per core; and the "
             "minimum interval between two, which keeps this at 5 %");
    if (now.closest)
        ui.value("Closest", phrase("{:.3g}: {} and {}", now.closest->distance, now.closest->first, now.closest->second),
                 "Distance of the closest pair of bodies, exact, in the scene's unit of length, and their indices");
    ui.value("Density centre", vector_text(now.centre),
             "Found with shrinking spheres (Power et al. 2003): the centre of mass of fewer and fewer bodies, down to "
             "1 % of them or 32. Radii are measured from here");
    ui.value("Centre of mass", vector_text(now.motion.centre_of_mass),
             "Σ m x / Σ m of all bodies, in the scene's unit of length");
}

/// Draws the names of the plots and the export buttons. Returns the open plot.
const StructurePlotEntry& plots_row(Widgets& ui, const UiState& state, UiRequests& requests) {
    const StructurePlotEntry* open = structure_plots().data();
    ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {4 * ui.scale(), ImGui::GetStyle().FramePadding.y});
    for (const StructurePlotEntry& entry : structure_plots()) {
        if (entry.id == state.plots.structure) open = &entry;
        if (&entry != structure_plots().data()) ImGui::SameLine();
        if (ui.tab(entry.label, entry.id == state.plots.structure, entry.doc))
            requests.change([id = entry.id](UiState& now) { now.plots.structure = id; });
    }
    ImGui::SameLine();
    if (ui.button("CSV",
                  "Writes the data of these plots and the known energies, one row per state, as a table into the "
                  "current folder, and the current density profile as another"))
        requests.ask(Command::kExportDiagnostics);
    ImGui::SameLine();
    if (ui.button("SVG", "Writes a plot of Lagrangian radii and energy change over time into the current folder"))
        requests.ask(Command::kPlotDiagnostics);
    ImGui::PopStyleVar();
    return *open;
}

}  // namespace

void structure_panel(Widgets& ui, const UiState& state, UiRequests& requests) {
    const StructureStatus& s = state.status.structure;
    if (!s.now) return ui.note(s.note.empty() ? "being computed" : s.note);
    plots_row(ui, state, requests).draw(ui, state);
    figures(ui, state.status);
    if (!s.note.empty()) ui.note(s.note);
}

}  // namespace orrery
