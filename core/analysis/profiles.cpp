// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "core/analysis/analyses.hpp"
#include "core/analysis/bins.hpp"

namespace orrery {
namespace {

constexpr std::size_t kMiddle = 2;  // of RadialBins::columns()

template <class Value>
AnalysisColumn column(std::string name, const std::string& symbol, const std::string& unit, const RadialBins& rings,
                      const Value& value) {
    AnalysisColumn column{std::move(name), with_unit(symbol, unit), {}};
    for (std::size_t i = 0; i < rings.sums.size(); ++i) column.values.push_back(value(i));
    return column;
}

/// NaN for fewer than two bodies.
double dispersion(const BinSums& sums, int direction) {
    return sums.bodies > 1 ? std::sqrt(sums.variance(direction)) : std::numeric_limits<double>::quiet_NaN();
}

bool is_logarithmic(const AnalysisSettings& settings, bool logarithmic_by_default) {
    return settings.scale == AnalysisScale::kAuto ? logarithmic_by_default
                                                  : settings.scale == AnalysisScale::kLogarithmic;
}

AnalysisResult density_over(const Subject& subject, const AnalysisSettings& settings, bool of_disc) {
    const RadialBins rings{subject, settings, of_disc, !of_disc};
    AnalysisResult result{.title = {}, .note = {}, .columns = rings.columns(subject), .panels = {}};
    const std::string symbol = of_disc ? "Σ" : "ρ";
    const std::string unit = of_disc ? subject.units().surface_density() : subject.units().density();
    result.columns.push_back(
        column("mass", "mass", subject.units().mass, rings, [&](std::size_t i) { return rings.sums[i].mass; }));
    result.columns.push_back(column(of_disc ? "Sigma" : "rho", symbol, unit, rings, [&](std::size_t i) {
        return rings.sums[i].mass / (of_disc ? rings.area(i) : rings.volume(i));
    }));
    result.panels.push_back({.title = of_disc ? "Surface density" : "Density",
                             .x_label = result.columns[kMiddle].symbol,
                             .y_label = result.columns.back().symbol,
                             .log_x = is_logarithmic(settings, !of_disc),
                             .log_y = true,
                             .lines = {{symbol, kMiddle, result.columns.size() - 1}}});
    return result;
}

}  // namespace

AnalysisResult surface_density_profile(const Subject& subject, const AnalysisSettings& settings,
                                       const std::stop_token&) {
    return density_over(subject, settings, true);
}

AnalysisResult density_profile(const Subject& subject, const AnalysisSettings& settings, const std::stop_token&) {
    return density_over(subject, settings, false);
}

AnalysisResult dispersion_profile(const Subject& subject, const AnalysisSettings& settings, const std::stop_token&) {
    const RadialBins shells{subject, settings, false, true};
    const std::string speed = subject.units().speed();
    AnalysisResult result{.title = {}, .note = {}, .columns = shells.columns(subject), .panels = {}};
    const auto along = [&](std::size_t i) { return dispersion(shells.sums[i], 0); };
    const auto across = [&](std::size_t i) {  // in one direction
        return std::hypot(dispersion(shells.sums[i], 1), dispersion(shells.sums[i], 2)) / std::sqrt(2.0);
    };
    result.columns.push_back(column("sigma_r", "σ_r", speed, shells, along));
    result.columns.push_back(column("sigma_t", "σ_t", speed, shells, across));
    result.columns.push_back(column("sigma", "σ", speed, shells, [&](std::size_t i) {
        return std::hypot(along(i), std::sqrt(2.0) * across(i)) / std::sqrt(3.0);
    }));
    result.columns.push_back(
        column("beta", "β", "", shells, [&](std::size_t i) { return 1 - std::pow(across(i) / along(i), 2); }));
    const std::size_t first = result.columns.size() - 4;
    const bool logarithmic = is_logarithmic(settings, true);
    result.panels.push_back({.title = "Dispersion of velocities in one direction",
                             .x_label = result.columns[kMiddle].symbol,
                             .y_label = with_unit("σ", speed),
                             .log_x = logarithmic,
                             .lines = {{"σ_r, along the radius", kMiddle, first},
                                       {"σ_t, across it", kMiddle, first + 1},
                                       {"σ, of all directions", kMiddle, first + 2}}});
    result.panels.push_back({.title = "Anisotropy",
                             .x_label = result.columns[kMiddle].symbol,
                             .y_label = "β",
                             .log_x = logarithmic,
                             .lines = {{"β = 1 − σ_t²/σ_r²", kMiddle, first + 3}},
                             .reference = 0});
    return result;
}

AnalysisResult disc_dispersion_profile(const Subject& subject, const AnalysisSettings& settings,
                                       const std::stop_token&) {
    const RadialBins rings{subject, settings, true, false};
    const std::string speed = subject.units().speed();
    AnalysisResult result{.title = {}, .note = {}, .columns = rings.columns(subject), .panels = {}};
    const std::size_t first = result.columns.size();
    AnalysisPanel panel{.title = "Dispersion of velocities",
                        .x_label = result.columns[kMiddle].symbol,
                        .y_label = with_unit("σ", speed),
                        .log_x = is_logarithmic(settings, false)};
    const char *names[] = {"sigma_R", "sigma_phi", "sigma_z"}, *symbols[] = {"σ_R", "σ_φ", "σ_z"};
    for (int k = 0; k < 3; ++k) {
        result.columns.push_back(
            column(names[k], symbols[k], speed, rings, [&](std::size_t i) { return dispersion(rings.sums[i], k); }));
        panel.lines.push_back({symbols[k], kMiddle, first + static_cast<std::size_t>(k)});
    }
    result.panels.push_back(std::move(panel));
    return result;
}

// Quantities derived from the force in the plane of a disc: circular velocity, epicycle frequency, Toomre's Q.

namespace {

constexpr std::size_t kRadius = 2;  // of RadialBins::columns()
constexpr int kAzimuths = 32;       // points per ring at which the force is evaluated
constexpr std::size_t kFitted = 5;  // points of the parabola whose slope is used
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

AnalysisSettings on_linear_scale(AnalysisSettings settings) {
    settings.scale = AnalysisScale::kLinear;
    return settings;
}

/// R ∂Φ/∂R at z = 0 in the middle of each ring, averaged in azimuth. Empty if stopped.
std::vector<double> squared_circular_velocity(const Subject& subject, const RadialBins& rings,
                                              const std::stop_token& stop) {
    std::vector<Vec3d> points;
    for (std::size_t i = 0; i < rings.bins.size(); ++i)
        for (int k = 0; k < kAzimuths; ++k) {
            const double angle = 2 * std::numbers::pi * (k + 0.5) / kAzimuths, r = rings.bins.middle(i);
            points.push_back({r * std::cos(angle), r * std::sin(angle), 0});
        }
    const std::vector<Vec3d> forces = accelerations_at(subject, points, stop);
    if (forces.empty()) return {};
    std::vector<double> squared(rings.bins.size());
    for (std::size_t n = 0; n < points.size(); ++n)
        squared[n / kAzimuths] -= (points[n].x * forces[n].x + points[n].y * forces[n].y) / kAzimuths;
    return squared;
}

/// Slope at x[i] of the least-squares parabola through kFitted neighbouring values at equal steps (Savitzky & Golay
/// 1964, Anal. Chem. 36, 1627).
double slope(const std::vector<double>& y, std::size_t i, double step) {
    if (y.size() < kFitted) return kNaN;
    const std::size_t first = std::clamp<std::ptrdiff_t>(static_cast<std::ptrdiff_t>(i) - 2, 0,
                                                         static_cast<std::ptrdiff_t>(y.size() - kFitted));
    double linear = 0, curve = 0;  // with t = -2 … 2: Σ t² = 10, Σ (t² − 2)² = 14
    for (std::size_t k = 0; k < kFitted; ++k) {
        const double t = static_cast<double>(k) - 2;
        linear += t * y[first + k] / 10, curve += (t * t - 2) * y[first + k] / 14;
    }
    const double at = static_cast<double>(i) - static_cast<double>(first) - 2;
    return (linear + 2 * curve * at) / step;
}

double root(double squared) { return squared >= 0 ? std::sqrt(squared) : kNaN; }

}  // namespace

AnalysisResult rotation_curve(const Subject& subject, const AnalysisSettings& settings, const std::stop_token& stop) {
    const RadialBins rings{subject, on_linear_scale(settings), true, false};
    const std::string speed = subject.units().speed();
    const std::vector<double> squared = squared_circular_velocity(subject, rings, stop);
    if (squared.empty()) return {};
    AnalysisResult result{.title = {}, .note = {}, .columns = rings.columns(subject), .panels = {}};
    AnalysisColumn circular{"v_c", with_unit("v_c", speed), {}}, mean{"v_phi", with_unit("mean v_φ", speed), {}};
    for (std::size_t i = 0; i < squared.size(); ++i) {
        circular.values.push_back(root(squared[i]));
        mean.values.push_back(rings.sums[i].bodies > 0 ? rings.sums[i].mean(1) : kNaN);
    }
    const std::size_t first = result.columns.size();
    result.columns.push_back(std::move(circular)), result.columns.push_back(std::move(mean));
    result.panels.push_back(
        {.title = "Rotation curve",
         .x_label = result.columns[kRadius].symbol,
         .y_label = with_unit("velocity", speed),
         .lines = {{"v_c, of circular orbits", kRadius, first}, {"mean v_φ of the bodies", kRadius, first + 1}}});
    return result;
}

AnalysisResult toomre_profile(const Subject& subject, const AnalysisSettings& settings, const std::stop_token& stop) {
    const RadialBins rings{subject, on_linear_scale(settings), true, false};
    const UnitNames& units = subject.units();
    const std::vector<double> squared = squared_circular_velocity(subject, rings, stop);
    if (squared.empty()) return {};
    AnalysisResult result{.title = {}, .note = {}, .columns = rings.columns(subject), .panels = {}};
    const std::size_t first = result.columns.size();
    AnalysisColumn density{"Sigma", with_unit("Σ", units.surface_density()), {}},
        radial{"sigma_R", with_unit("σ_R", units.speed()), {}}, omega{"Omega", with_unit("Ω", units.frequency()), {}},
        kappa{"kappa", with_unit("κ", units.frequency()), {}}, q{"Q", "Q", {}};
    const double step = rings.bins.high(0) - rings.bins.low(0), G = subject.scene().gravity.constant;
    for (std::size_t i = 0; i < squared.size(); ++i) {
        const double r = rings.bins.middle(i), omega2 = squared[i] / (r * r);
        // κ² = R dΩ²/dR + 4Ω² with Ω = v/R
        const double kappa2 = slope(squared, i, step) / r + 2 * omega2;
        density.values.push_back(rings.sums[i].mass / rings.area(i));
        radial.values.push_back(rings.sums[i].bodies > 1 ? std::sqrt(rings.sums[i].variance(0)) : kNaN);
        omega.values.push_back(root(omega2)), kappa.values.push_back(root(kappa2));
        const double pull = 3.36 * G * density.values.back();
        q.values.push_back(pull > 0 ? radial.values.back() * kappa.values.back() / pull : kNaN);
    }
    for (AnalysisColumn* each : {&density, &radial, &omega, &kappa, &q}) result.columns.push_back(std::move(*each));
    result.panels.push_back({.title = "Toomre Q",
                             .x_label = result.columns[kRadius].symbol,
                             .y_label = "Q",
                             .lines = {{"Q", kRadius, first + 4}},
                             .reference = 1});
    result.panels.push_back(
        {.title = "Frequencies",
         .x_label = result.columns[kRadius].symbol,
         .y_label = with_unit("frequency", units.frequency()),
         .lines = {{"Ω, of circular orbits", kRadius, first + 2}, {"κ, of epicycles", kRadius, first + 3}}});
    return result;
}

}  // namespace orrery
