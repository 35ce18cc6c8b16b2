// SPDX-License-Identifier: MIT
// Analytic profiles of the spherical presets.
#pragma once
#include <numbers>
#include <string_view>

namespace orrery {

/// The radial profile from which a preset is sampled, in its units. Bodies scatter about it.
struct AnalyticProfile {
    std::string_view preset;          ///< its id
    double (*density)(double r);      ///< mass per volume at r > 0 from the centre
    double (*mass_within)(double r);  ///< of the total mass 1
};

/// The profile of a preset that is a sphere with a known profile; null for all others.
const AnalyticProfile* analytic_profile(std::string_view preset);
/// The radius that contains this fraction of the mass, 0 < fraction < 1.
double lagrangian_radius(const AnalyticProfile& profile, double fraction);

/// Densities in arbitrary units, truncated as in the presets; see hernquist() and nfw_halo().
double hernquist_shape(double r);
double nfw_shape(double r);

/// The preset `plummer` has Hénon (N-body) units: G = M = 1, E = -1/4, virial radius 1. The scale length is then 3π/16.
/// The outermost 0.1 % of the mass, which extends to infinity, is omitted: radii end at 38.7 scale lengths.
inline constexpr double kPlummerScale = 3 * std::numbers::pi / 16, kPlummerKept = 0.999;

}  // namespace orrery
