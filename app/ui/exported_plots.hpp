// SPDX-License-Identifier: MIT
// The window's plots as SVG, on white, for papers and slides.
#pragma once
#include <string>

#include "app/ui/history.hpp"
#include "core/live/compare_status.hpp"

namespace orrery {

/// Times of the last minutes, and errors since the current scene began.
std::string history_svg(const History& history, const std::string& title);
/// Distances of A's bodies from B's, and the energies of both.
std::string compare_svg(const CompareStatus& status, const std::string& title);
/// Lagrangian radii, energy, and drifts of the current scene.
std::string diagnostics_svg(const DiagnosticsHistory& history, const std::string& title);

}  // namespace orrery
