// SPDX-License-Identifier: MIT
#include "core/analysis/analyses.hpp"

#include <array>

#include "core/base/menu.hpp"

namespace orrery {
namespace {

constexpr std::array<std::string_view, 4> kOfProfiles{"bins", "from", "to", "scale"};
constexpr std::array<std::string_view, 3> kOfDiscs{"bins", "from", "to"};
constexpr std::array<std::string_view, 6> kOfHistograms{"x", "weight", "bins", "from", "to", "scale"};
constexpr std::array<std::string_view, 7> kOfPlanes{"x", "y", "weight", "bins", "from", "to", "scale"};
constexpr std::array<std::string_view, 5> kOfPhases{"weight", "bins", "from", "to", "scale"};
constexpr std::array<std::string_view, 3> kOfFields{"bins", "from", "to"};
constexpr std::array<std::string_view, 5> kOfGroups{"link", "link_length", "period", "backend", "least"};

constexpr auto kAnalyses = std::to_array<AnalysisEntry>({
    {"rotation-curve", "Rotation curve",
     "circular velocity in the plane, and mean velocity about the axis, over radius",
     "v_c² = R ∂Φ/∂R at z = 0, averaged around the axis: Binney & Tremaine 2008, §2.6", rotation_curve,
     AnalysisAxis::kSpin, kOfDiscs},
    {"surface-density", "Surface density", "mass per area of rings about the axis", "mass of a ring over its area",
     surface_density_profile, AnalysisAxis::kSpin, kOfProfiles},
    {"density", "Density profile", "mass per volume of shells about the centre", "mass of a shell over its volume",
     density_profile, AnalysisAxis::kZ, kOfProfiles},
    {"dispersion", "Velocity dispersion", "dispersions along and across the radius, and anisotropy, over radius",
     "σ about the means of each shell; β = 1 − σ_t²/σ_r²: Binney & Tremaine 2008, eq. 4.61", dispersion_profile,
     AnalysisAxis::kSpin, kOfProfiles},
    {"disc-dispersion", "Dispersion of a disc", "dispersions along the radius, around and along the axis, over radius",
     "σ about the means of each ring", disc_dispersion_profile, AnalysisAxis::kSpin, kOfProfiles},
    {"toomre-q", "Toomre Q", "stability of a disc of stars over radius; unstable to rings where Q < 1",
     "Q = σ_R κ / (3.36 G Σ): Toomre 1964, ApJ 139, 1217; κ² = R dΩ²/dR + 4Ω²: Binney & Tremaine 2008, eq. 3.80",
     toomre_profile, AnalysisAxis::kSpin, kOfDiscs},
    {"phase-r-vr", "Phase space r, v_r", "bodies over radius and radial velocity", "number or mass in each cell",
     phase_space_radial, AnalysisAxis::kZ, kOfPhases},
    {"phase-r-v", "Phase space r, v", "bodies over radius and speed", "number or mass in each cell", phase_space_speed,
     AnalysisAxis::kZ, kOfPhases},
    {"phase-e-l", "Energy and angular momentum", "bodies over energy and angular momentum, both per mass",
     "E = v²/2 + Φ; L = |r × v|: Binney & Tremaine 2008, §3.1", energy_momentum, AnalysisAxis::kZ, kOfPhases},
    {"histogram", "Histogram", "bodies over any quantity", "number or mass in each interval", histogram,
     AnalysisAxis::kZ, kOfHistograms},
    {"histogram-2d", "Histogram of two", "bodies over any two quantities", "number or mass in each cell", histogram_2d,
     AnalysisAxis::kZ, kOfPlanes},
    {"potential", "Potential",
     "depth −Φ of the potential of all bodies, in the plane through the centre across the axis, with contours",
     "Φ = −G Σ m / √(r² + ε²), per mass", potential_in_plane, AnalysisAxis::kZ, kOfFields, true},
    {"groups", "Groups", "friends of friends: bodies linked by short distances, with a table of the groups",
     "Davis, Efstathiou, Frenk & White 1985, ApJ 292, 371", groups_of_friends, AnalysisAxis::kZ, kOfGroups},
});

}  // namespace

std::span<const AnalysisEntry> analyses() { return kAnalyses; }

const AnalysisEntry& analysis_of(std::string_view id) { return find_in_menu(analyses(), "plot", id); }

AnalysisResult analyse(Pool& pool, const Scene& scene, const AnalysisSettings& settings, const std::stop_token& stop) {
    const AnalysisEntry& entry = analysis_of(settings.kind);
    const Subject subject{pool, scene, settings, entry.axis};
    AnalysisResult result = entry.run(subject, settings, stop);
    result.bodies = subject.size();
    if (result.title.empty()) result.title = entry.label;
    if (result.note.empty()) result.note = entry.source;
    return result;
}

}  // namespace orrery
