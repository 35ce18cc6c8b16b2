// SPDX-License-Identifier: MIT
#include <cmath>
#include <limits>

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

}  // namespace orrery
