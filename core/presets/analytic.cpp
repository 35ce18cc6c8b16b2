// SPDX-License-Identifier: MIT
#include "core/presets/analytic.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace orrery {
namespace {

constexpr double kPi = std::numbers::pi;

/// 4π ∫ ρ r² dr from 0 to r by Simpson's rule in log r. Below the first radius the densities of these shapes grow at
/// most as 1/r, so the mass there is negligible.
double mass_of(double (*shape)(double), double r) {
    constexpr double kFirst = 1e-5;
    constexpr int kSteps = 400;
    if (!(r > kFirst)) return 0;
    const double h = std::log(r / kFirst) / kSteps;
    double sum = 0;
    for (int i = 0; i <= kSteps; ++i) {
        const double x = kFirst * std::exp(i * h);
        sum += (i == 0 || i == kSteps ? 1 : i % 2 == 1 ? 4 : 2) * shape(x) * x * x * x;
    }
    return 4 * kPi * sum * h / 3;
}

/// A shape scaled to total mass 1.
template <double (*shape)(double)>
struct Normalised {
    static double whole() {
        static const double mass = mass_of(shape, 1e3);
        return mass;
    }
    static double density(double r) { return shape(r) / whole(); }
    static double mass_within(double r) { return mass_of(shape, r) / whole(); }
};

/// Plummer 1911, MNRAS 71, 460: ρ = 3/(4π a³) (1 + r²/a²)^(-5/2), M(r) = (1 + a²/r²)^(-3/2), truncated at M = 0.999.
double plummer_mass(double r) {
    return std::min(1.0, std::pow(1 + std::pow(kPlummerScale / r, 2), -1.5) / kPlummerKept);
}
double plummer_density(double r) {
    if (plummer_mass(r) >= 1) return 0;
    return 3 / (4 * kPi * std::pow(kPlummerScale, 3) * kPlummerKept) *
           std::pow(1 + std::pow(r / kPlummerScale, 2), -2.5);
}
double uniform_mass(double r) { return r < 1 ? r * r * r : 1; }
double uniform_density(double r) { return r < 1 ? 3 / (4 * kPi) : 0; }

constexpr auto kProfiles = std::to_array<AnalyticProfile>({
    {"plummer", plummer_density, plummer_mass},
    {"hernquist", Normalised<hernquist_shape>::density, Normalised<hernquist_shape>::mass_within},
    {"nfw-halo", Normalised<nfw_shape>::density, Normalised<nfw_shape>::mass_within},
    {"uniform-sphere", uniform_density, uniform_mass},
});

}  // namespace

double hernquist_shape(double r) { return std::exp(-r * r / 1e4) / (r * std::pow(1 + r, 3)); }
double nfw_shape(double r) { return std::exp(-r * r / 100) / (r * (1 + r) * (1 + r)); }

const AnalyticProfile* analytic_profile(std::string_view preset) {
    const auto found = std::ranges::find(kProfiles, preset, &AnalyticProfile::preset);
    return found == kProfiles.end() ? nullptr : &*found;
}

double lagrangian_radius(const AnalyticProfile& profile, double fraction) {
    double low = 1e-4, high = 1e3;
    for (int i = 0; i < 60; ++i) {
        const double middle = std::sqrt(low * high);
        (profile.mass_within(middle) < fraction ? low : high) = middle;
    }
    return high;
}

}  // namespace orrery
