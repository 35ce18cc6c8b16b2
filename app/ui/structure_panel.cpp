// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>

#include "app/picture/format.hpp"
#include "app/ui/panels.hpp"
#include "app/ui/pen.hpp"
#include "app/ui/plot.hpp"
#include "app/ui/words.hpp"
#include "core/presets/spheres.hpp"

namespace orrery {
namespace {

constexpr float kStructureHeight = 186;  // pixels at scale 1
ImU32 faint_color() { return ImGui::GetColorU32(ImGuiCol_Text, 0.45f); }

// M. Okabe & K. Ito, "Color Universal Design", 2008.
constexpr std::array<ImU32, 6> kStructureColors{IM_COL32(240, 228, 66, 255), IM_COL32(230, 159, 0, 255),
                                                IM_COL32(213, 94, 0, 255),   IM_COL32(204, 121, 167, 255),
                                                IM_COL32(86, 180, 233, 255), IM_COL32(0, 158, 115, 255)};
static_assert(kStructureColors.size() >= kMassFractions.size());

struct StateCurve {
    std::string name;
    ImU32 color;
    std::function<std::optional<double>(const DiagnosticsSample&)> value;
};

void state_legend(std::span<const StateCurve> curves, float scale) {
    for (const StateCurve& curve : curves) {
        legend_line(curve.name, curve.color, 12 * scale, 15 * scale, 2 * scale);
        if (&curve != &curves.back()) ImGui::SameLine(0, 9 * scale);
    }
    ImGui::Spacing();
}

struct Place {
    ImVec2 at, size;
};
Place place(Widgets& ui, const char* label, const char* tip) {
    const float width = ImGui::GetContentRegionAvail().x, height = ui.plot_height(kStructureHeight);
    ui.canvas(label, width, height, tip);
    return {ImGui::GetItemRectMin(), {width, height}};
}

Axis time_axis(const std::vector<DiagnosticsSample>& samples) {
    const double low = samples.empty() ? 0 : samples.front().time, high = samples.empty() ? 1 : samples.back().time;
    return {"time of the scene", low, high > low ? high : low + 1e-9 + std::abs(low) * 1e-9, Scale::kLinear};
}

ImVec2 point(double x, double y) { return {static_cast<float>(x), static_cast<float>(y)}; }

/// Curves over the time of the scene; on a logarithmic axis, only values above 0.
void over_time(Widgets& ui, const UiState& state, const char* label, const char* tip, std::string unit, Scale scale,
               std::span<const StateCurve> curves, std::span<const double> levels = {}) {
    const auto& samples = state.plots.diagnostics.samples();
    const Place p = place(ui, label, tip);
    std::vector<std::vector<ImVec2>> lines(curves.size());
    std::vector<double> heights{levels.begin(), levels.end()};
    for (const DiagnosticsSample& sample : samples)
        for (std::size_t i = 0; i < curves.size(); ++i)
            if (const auto y = curves[i].value(sample); y && (scale == Scale::kLinear || *y > 0)) {
                lines[i].push_back(point(sample.time, *y));
                heights.push_back(*y);
            }
    const Axis x = time_axis(samples);
    Axis y = around(unit, heights, 1e-3, 1);
    if (scale == Scale::kLinear) {
        const auto [low, high] =
            heights.empty() ? std::pair{0.0, 1.0}
                            : std::pair{*std::ranges::min_element(heights), *std::ranges::max_element(heights)};
        const double margin = std::max(0.1 * (high - low), 0.02);
        y = {std::move(unit), low - margin, high + margin, Scale::kLinear};
    }
    const Plot plot{p.at, p.size, x, y, ui.scale()};
    for (const double level : levels) plot.line(std::array{point(x.low, level), point(x.high, level)}, faint_color());
    for (std::size_t i = 0; i < curves.size(); ++i) {
        plot.line(lines[i], curves[i].color);
        if (lines[i].size() == 1) plot.marker(lines[i][0].x, lines[i][0].y, Marker::kCircle, curves[i].color);
    }
    state_legend(curves, ui.scale());
}

void radii(Widgets& ui, const UiState& state) {
    std::vector<StateCurve> curves;
    std::vector<double> levels;
    const AnalyticProfile* analytic = analytic_profile(state.status.scene.id);
    for (std::size_t i = 0; i < kMassFractions.size(); ++i) {
        curves.push_back(
            {fmt::format("{:.0f}%", 100 * kMassFractions[i]), kStructureColors[i], [i](const DiagnosticsSample& s) {
                 return s.structure ? std::optional{s.structure->lagrangian_radii[i]} : std::nullopt;
             }});
        if (analytic) levels.push_back(lagrangian_radius(*analytic, kMassFractions[i]));
    }
    over_time(ui, state, "Lagrangian radii",
              "Radii around the density centre that hold these percentages of the mass, in the scene's unit of length "
              "(Spitzer 1987); grey: those of the preset's analytic profile, if known",
              "radius", Scale::kLogarithmic, curves, levels);
}

void density(Widgets& ui, const UiState& state) {
    const Place p =
        place(ui, "Density profile",
              "Density of shells around the density centre, over their middle radius; both logarithmic, in the scene's "
              "units. Dots: now; grey line: initial; green: the preset's analytic profile, if known");
    const StructureStatus& s = state.status.structure;
    const auto middle = [](const DensityShell& shell) {
        return shell.inner > 0 ? std::sqrt(shell.inner * shell.outer) : 0.75 * shell.outer;  // mean radius of a ball
    };
    std::vector<double> radius, height;
    for (const Structure* each : {s.now.get(), s.start.get()})
        for (const DensityShell& shell : each->profile)
            radius.push_back(middle(shell)), height.push_back(shell.density);
    const Axis x = around("radius", radius, 1e-2, 1e2), y = around("density", height, 1e-3, 1);
    const Plot plot{p.at, p.size, x, y, ui.scale()};
    std::vector<ImVec2> first, curve;
    for (const DensityShell& shell : s.start->profile) first.push_back(point(middle(shell), shell.density));
    plot.line(first, faint_color());
    if (const AnalyticProfile* analytic = analytic_profile(state.status.scene.id)) {
        constexpr int kParts = 96;
        for (int i = 0; i <= kParts; ++i) {
            const double r = x.low * std::pow(x.high / x.low, static_cast<double>(i) / kParts);
            if (const double d = analytic->density(r); d >= y.low && d <= y.high) curve.push_back(point(r, d));
        }
        plot.line(curve, kStructureColors[5]);
    }
    for (const DensityShell& shell : s.now->profile)
        plot.marker(middle(shell), shell.density, Marker::kCircle, kStructureColors[4]);
}

void drift(Widgets& ui, const UiState& state) {
    const std::array<StateCurve, 3> curves{{
        {"energy", kStructureColors[1], [](const DiagnosticsSample& s) { return magnitude(s.energy_drift); }},
        {"momentum", kStructureColors[4], [](const DiagnosticsSample& s) { return s.momentum_drift; }},
        {"angular momentum", kStructureColors[5], [](const DiagnosticsSample& s) { return s.angular_drift; }},
    }};
    over_time(ui, state, "Conserved quantities",
              "Relative change since the scene began. Energy: |E − E0| / |E0|; momentum: |P − P0| / Σ m|v|; angular "
              "momentum about the origin: |L − L0| / Σ m|x × v|; in double precision",
              "relative change", Scale::kLogarithmic, curves);
}

void virial(Widgets& ui, const UiState& state) {
    const std::array<StateCurve, 1> curves{{{"2K/|W|", kStructureColors[4], [](const DiagnosticsSample& s) {
                                                 return s.energy ? std::optional{s.energy->virial_ratio()}
                                                                 : std::nullopt;
                                             }}}};
    over_time(ui, state, "Virial ratio",
              "2K/|W|, with kinetic energy K and potential energy W: 1 in equilibrium (grey). Below 1 the system tends "
              "to contract, above 1 to expand; above 2 it is unbound",
              "2K/|W|", Scale::kLinear, curves, std::array{1.0});
}

void pair(Widgets& ui, const UiState& state) {
    const std::array<StateCurve, 1> curves{{{"closest pair", kStructureColors[4], [](const DiagnosticsSample& s) {
                                                 return s.structure && s.structure->closest
                                                            ? std::optional{s.structure->closest->distance}
                                                            : std::nullopt;
                                             }}}};
    std::vector<double> levels;
    if (state.status.dynamics.gravity.softening > 0) levels.push_back(state.status.dynamics.gravity.softening);
    over_time(ui, state, "Closest pair",
              "Distance of the closest pair of bodies, exact, in the scene's unit of length; grey: the softening "
              "length. Far below it, the forces differ from those of point masses; without softening, steps must be "
              "short enough to resolve it",
              "distance", Scale::kLogarithmic, curves, levels);
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
