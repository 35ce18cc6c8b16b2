// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <cmath>
#include <optional>

#include "app/picture/format.hpp"
#include "app/ui/words.hpp"
#include "app/window/plots/pages.hpp"

namespace orrery {
namespace {

std::string exponents_text(Vec3d v) { return fmt::format("{:.2e}, {:.2e}, {:.2e}", v.x, v.y, v.z); }

void quantities(Widgets& ui, const Diagnostics& now, const Status& s) {
    ui.value("Age", age_phrase(s.energy.taken, s.step - s.energy.step),
             "Age of the state that these energies describe, in wall time and in steps. Energies are computed in the "
             "background and take 5 % of the time, or up to 20 % where they would be older than ten seconds");
    if (const auto drift = s.energy.drift())
        ui.value("Drift", fmt::format("{:+.2e}", *drift), "(E - E0) / |E0| since the start of the scene");
    if (const auto found = s.energy.conservation(); found && !found->kept && !s.source.series.on)
        ui.note(drift_text(*found));
    ui.value("Total", fmt::format("{:.6g}", now.total()), "E = K + W, in the scene's units");
    ui.value("Kinetic", fmt::format("{:.6g}", now.kinetic), "K");
    ui.value("Potential", fmt::format("{:.6g}", now.potential), "W, including softening");
    ui.value("Virial ratio", fmt::format("{:.4f}", now.virial_ratio()), "2K/|W|; 1 in equilibrium");
    ui.value("Momentum", exponents_text(now.momentum), "Sum of m v");
    ui.value("Angular m.", exponents_text(now.angular_momentum), "Sum of m r × v about the origin");
}

std::string part_text(std::optional<double> part, std::string_view of) {
    return part ? phrase("{:.1e} of {}", *part, of) : "being measured";
}

/// Newton's third law: if every action has its reaction, the forces add up to zero and momentum is conserved.
void third_law(Widgets& ui, const Status& s) {
    ui.heading("Action and reaction");
    ui.value("Net force", part_text(s.force.net, "Σ |m a|"),
             "|Σ m a| / Σ |m a| of the current forces: rounding, or the approximation of an engine. It is smallest for "
             "engines that compute each pair once");
    ui.value("Momentum", part_text(s.structure.momentum_drift(), "Σ m|v|"),
             "|P - P0| / Σ m|v|: change of momentum since the start of the scene; exact internal forces cause none");
}

void force_error(Widgets& ui, const ForceError& error) {
    ui.heading("Force error");
    ui.value("RMS", fmt::format("{:.2e}", error.rms), "Relative RMS error against the double-precision reference");
    ui.value("Median", fmt::format("{:.2e}", error.median), "Median of |a - r| / |r| over the sampled bodies");
    ui.value("99 %", fmt::format("{:.2e}", error.p99));
    ui.value("Largest", fmt::format("{:.2e}", error.max));
    ui.value("Sampled", bodies_in_words(error.samples));
}

}  // namespace

std::string drift_text(const Conservation& lost) {
    if (!lost.finite) return phrase("The energy is not finite: choose units in which masses and speeds are near 1");
    return phrase(
        "|ΔE/E| = {:.2g}: the bodies have left their true orbits; a smaller dt or a larger softening may help",
        std::abs(lost.energy));
}

void energy_panel(Widgets& ui, const UiState& state, UiRequests&) {
    const Status& s = state.status;
    if (s.energy.now) quantities(ui, *s.energy.now, s);
    if (s.edits.time)
        ui.note(
            phrase("Changes are measured from the last edit, at t = {:.6g}; what it added or removed is not an error.",
                   *s.edits.time));
    if (!s.energy.now || !s.energy.note.empty()) ui.note(s.energy.note.empty() ? "being computed" : s.energy.note);
    third_law(ui, s);
    if (s.force.error) force_error(ui, *s.force.error);
}

}  // namespace orrery
