// SPDX-License-Identifier: MIT
// Quantities derived from the force in the plane of a disc: circular velocity, epicycle frequency, Toomre's Q.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "core/analysis/analyses.hpp"
#include "core/analysis/bins.hpp"

namespace orrery {
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
