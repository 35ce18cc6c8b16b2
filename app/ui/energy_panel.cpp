// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <cmath>

#include "app/ui/panels.hpp"

namespace orrery {
namespace {

std::string vector_text(Vec3d v) { return fmt::format("{:.2e}, {:.2e}, {:.2e}", v.x, v.y, v.z); }

void quantities(Widgets& ui, const Diagnostics& now, const Status& s) {
    if (const auto drift = s.energy_drift())
        ui.value("Drift", fmt::format("{:+.2e}", *drift), "(E - E0) / |E0| since the start of the scene");
    ui.value("Total", fmt::format("{:.6g}", now.total()), "E = K + W, in the scene's units");
    ui.value("Kinetic", fmt::format("{:.6g}", now.kinetic), "K");
    ui.value("Potential", fmt::format("{:.6g}", now.potential), "W, with softening");
    ui.value("Virial ratio", fmt::format("{:.4f}", now.virial_ratio()), "2K/|W|; 1 in equilibrium");
    ui.value("Momentum", vector_text(now.momentum), "Sum of m v");
    const double p = std::sqrt(dot(now.momentum, now.momentum));
    if (now.momentum_scale > 0)
        ui.value("", fmt::format("{:.1e} of the sum of m|v|", p / now.momentum_scale), "How well momentum is kept");
    ui.value("Angular m.", vector_text(now.angular_momentum), "Sum of m r × v about the origin");
}

void force_error(Widgets& ui, const ForceError& error) {
    ui.heading("Force error");
    ui.value("RMS", fmt::format("{:.2e}", error.rms), "Relative, against the double-precision reference");
    ui.value("Median", fmt::format("{:.2e}", error.median), "Of |a - r| / |r| per body");
    ui.value("99 %", fmt::format("{:.2e}", error.p99));
    ui.value("Largest", fmt::format("{:.2e}", error.max));
    ui.value("Sampled", fmt::format("{} bodies", error.samples));
}

}  // namespace

void energy_panel(Widgets& ui, const UiState& state, Wishes&) {
    const Status& s = state.status;
    if (s.energy_now)
        quantities(ui, *s.energy_now, s);
    else
        ui.note(s.energy_note.empty() ? "being computed" : s.energy_note);
    if (s.error) force_error(ui, *s.error);
}

}  // namespace orrery
