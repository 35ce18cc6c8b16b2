// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <imgui.h>

#include <array>
#include <cmath>

#include "app/picture/format.hpp"
#include "app/ui/plot.hpp"
#include "app/ui/words.hpp"
#include "app/window/plots/pages.hpp"
#include "core/presets/spheres.hpp"

namespace orrery {
namespace {

constexpr float kStructureHeight = 186;  // pixels at scale 1

using namespace okabe_ito;
constexpr std::array kRadiusColors{kYellow, kOrange, kVermilion, kPurple, kSkyBlue, kGreen};
static_assert(kRadiusColors.size() >= kMassFractions.size());

template <class Value>
PlotCurve diagnostics_curve(const UiState& state, std::string label, const char* color, const Value& value) {
    PlotCurve curve{.label = std::move(label), .color = color, .dashes = {}, .points = {}};
    for (const DiagnosticsSample& sample : state.plots.diagnostics.samples())
        if (const std::optional<double> y = value(sample)) curve.points.push_back({sample.time, *y});
    return curve;
}

/// Curves over the time of the scene, on a logarithmic axis.
PlotPanel over_time(const UiState& state, const char* title, const char* unit, std::vector<PlotCurve> curves,
                    std::vector<double> levels = {}) {
    const auto& samples = state.plots.diagnostics.samples();
    const double low = samples.empty() ? 0 : samples.front().time, high = samples.empty() ? 1 : samples.back().time;
    return {.title = title,
            .x_label = "time of the scene",
            .y_label = unit,
            .curves = std::move(curves),
            .marks = {},
            .reference = std::nullopt,
            .log_y = true,
            .levels = std::move(levels),
            .x_ends = PlotRange{low, high > low ? high : low + 1e-9 + std::abs(low) * 1e-9},
            .y_if_empty = {1e-3, 1}};
}

void draw_over_time(Widgets& ui, const PlotPanel& panel, const char* tip) {
    plot_canvas(ui, panel, kStructureHeight, tip);
    plot_legend(panel, ui.scale());
    ImGui::Spacing();
}

void radii(Widgets& ui, const UiState& state) {
    std::vector<PlotCurve> curves;
    std::vector<double> levels;
    const AnalyticProfile* analytic = analytic_profile(state.status.scene.id);
    for (std::size_t i = 0; i < kMassFractions.size(); ++i) {
        curves.push_back(diagnostics_curve(
            state, fmt::format("{:.0f}%", 100 * kMassFractions[i]), kRadiusColors[i], [i](const DiagnosticsSample& s) {
                return s.structure ? std::optional{s.structure->lagrangian_radii[i]} : std::nullopt;
            }));
        if (analytic) levels.push_back(lagrangian_radius(*analytic, kMassFractions[i]));
    }
    draw_over_time(
        ui, over_time(state, "Lagrangian radii", "radius", std::move(curves), std::move(levels)),
        "Radii around the density centre that hold these percentages of the mass, in the scene's unit of length "
        "(Spitzer 1987); grey: those of the preset's analytic profile, if known");
}

PlotCurve profile_curve(const Structure& structure, const char* color) {
    PlotCurve curve{.label = {}, .color = color, .dashes = {}, .points = {}};
    for (const DensityShell& shell : structure.profile)  // the last: mean radius of a ball
        curve.points.push_back(
            {shell.inner > 0 ? std::sqrt(shell.inner * shell.outer) : 0.75 * shell.outer, shell.density});
    return curve;
}

void density(Widgets& ui, const UiState& state) {
    const StructureStatus& s = state.status.structure;
    PlotCurve now = profile_curve(*s.now, kSkyBlue);
    now.marker = Marker::kCircle, now.joined = false;
    PlotPanel panel{.title = "Density profile",
                    .x_label = "radius",
                    .y_label = "density",
                    .curves = {profile_curve(*s.start, ""), std::move(now)},
                    .marks = {},
                    .reference = std::nullopt,
                    .log_x = true,
                    .log_y = true,
                    .y_if_empty = {1e-3, 1}};
    if (const AnalyticProfile* analytic = analytic_profile(state.status.scene.id)) {
        const auto [x, y] = plot_ends(panel);
        PlotCurve curve{.label = {}, .color = kGreen, .dashes = {}, .points = {}};
        constexpr int kParts = 96;
        for (int i = 0; i <= kParts; ++i) {
            const double r = x.low * std::pow(x.high / x.low, static_cast<double>(i) / kParts);
            if (const double d = analytic->density(r); d >= y.low && d <= y.high) curve.points.push_back({r, d});
        }
        panel.curves.insert(panel.curves.begin() + 1, std::move(curve));
    }
    plot_canvas(ui, panel, kStructureHeight,
                "Density of shells around the density centre, over their middle radius; both logarithmic, in the "
                "scene's units. Dots: now; grey line: initial; green: the preset's analytic profile, if known");
}

void drift(Widgets& ui, const UiState& state) {
    using Sample = DiagnosticsSample;
    draw_over_time(
        ui,
        over_time(
            state, "Conserved quantities", "relative change",
            {diagnostics_curve(state, "energy", kOrange, [](const Sample& s) { return magnitude(s.energy_drift); }),
             diagnostics_curve(state, "momentum", kSkyBlue, [](const Sample& s) { return s.momentum_drift; }),
             diagnostics_curve(state, "angular momentum", kGreen, [](const Sample& s) { return s.angular_drift; })}),
        "Relative change since the scene began. Energy: |E − E0| / |E0|; momentum: |P − P0| / Σ m|v|; angular "
        "momentum about the origin: |L − L0| / Σ m|x × v|; in double precision");
}

void virial(Widgets& ui, const UiState& state) {
    PlotPanel panel =
        over_time(state, "Virial ratio", "2K/|W|",
                  {diagnostics_curve(state, "2K/|W|", kSkyBlue,
                                     [](const DiagnosticsSample& s) {
                                         return s.energy ? std::optional{s.energy->virial_ratio()} : std::nullopt;
                                     })},
                  {1});
    panel.log_y = false, panel.y_shown = {0.98, 1.02};
    draw_over_time(
        ui, panel,
        "2K/|W|, with kinetic energy K and potential energy W: 1 in equilibrium (grey). Below 1 the system tends "
        "to contract, above 1 to expand; above 2 it is unbound");
}

void pair(Widgets& ui, const UiState& state) {
    std::vector<double> levels;
    if (state.status.dynamics.gravity.softening > 0) levels.push_back(state.status.dynamics.gravity.softening);
    draw_over_time(
        ui,
        over_time(state, "Closest pair", "distance",
                  {diagnostics_curve(state, "closest pair", kSkyBlue,
                                     [](const DiagnosticsSample& s) {
                                         return s.structure && s.structure->closest
                                                    ? std::optional{s.structure->closest->distance}
                                                    : std::nullopt;
                                     })},
                  std::move(levels)),
        "Distance of the closest pair of bodies, exact, in the scene's unit of length; grey: the softening "
        "length. Far below it, the forces differ from those of point masses; without softening, steps must be "
        "short enough to resolve it");
}

constexpr auto kPlots = std::to_array<StructurePlotEntry>({
    {"radii", "Radii", radii, "Lagrangian radii over time"},
    {"density", "Density", density, "Density over radius"},
    {"drift", "Drift", drift, "Conserved quantities over time: energy, momentum, angular momentum"},
    {"virial", "Virial", virial, "Virial ratio over time"},
    {"pair", "Pair", pair, "Distance of the closest pair over time"},
});

/// Small numbers with an exponent, so that three fit in a line.
std::string component_text(double x) {
    return std::abs(x) < 0.01 ? fmt::format("{:.1e}", x) : fmt::format("{:.4g}", x);
}

std::string components_text(Vec3d v) {
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
    ui.value("Density centre", components_text(now.centre),
             "Found with shrinking spheres (Power et al. 2003): the centre of mass of fewer and fewer bodies, down to "
             "1 % of them or 32. Radii are measured from here");
    ui.value("Centre of mass", components_text(now.motion.centre_of_mass),
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

std::span<const StructurePlotEntry> structure_plots() { return kPlots; }

void structure_panel(Widgets& ui, const UiState& state, UiRequests& requests) {
    const StructureStatus& s = state.status.structure;
    if (!s.now) return ui.note(s.note.empty() ? "being computed" : s.note);
    plots_row(ui, state, requests).draw(ui, state);
    figures(ui, state.status);
    if (!s.note.empty()) ui.note(s.note);
}

}  // namespace orrery
