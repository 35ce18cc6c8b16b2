// SPDX-License-Identifier: MIT
#include "core/analysis/bins.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/base/error.hpp"
#include "core/base/pool.hpp"

namespace orrery {
namespace {

constexpr double kInnerBodies = 10, kOuterMass = 0.95;
constexpr double kOutward = 1 + 1e-9;  // keeps the body at an end inside despite rounding

Bins make_bins(const Subject& subject, const AnalysisSettings& settings, bool cylindrical,
               bool logarithmic_by_default) {
    const bool logarithmic =
        settings.scale == AnalysisScale::kAuto ? logarithmic_by_default : settings.scale == AnalysisScale::kLogarithmic;
    const auto count = static_cast<double>(subject.size());
    const double all = kOutward * subject.radius_of(1, cylindrical);
    const double outer =
        settings.to.value_or(logarithmic ? all : kOutward * subject.radius_of(kOuterMass, cylindrical));
    const double inner = settings.from.value_or(
        logarithmic
            ? std::max(subject.radius_of(std::min(0.5, kInnerBodies / count), cylindrical) / kOutward, 1e-6 * outer)
            : 0);
    if (!(outer > 0)) usage_error("all bodies are at the centre; radial plots need an extent");
    if (inner < 0 || (logarithmic && !(inner > 0)) || !(inner < outer))
        usage_error(
            fmt::format("from {:g} to {:g}: expected ascending radii, above 0 on a logarithmic scale", inner, outer));
    const auto bins = static_cast<std::size_t>(
        settings.bins > 0 ? settings.bins : static_cast<int>(std::clamp(2 * std::cbrt(count), 8.0, 48.0)));
    return Bins{inner, outer, bins, logarithmic};
}

}  // namespace

double BinSums::variance(int i) const { return mass > 0 ? std::max(0.0, second[i] / mass - mean(i) * mean(i)) : 0; }

BinSums& BinSums::operator+=(const BinSums& other) {
    bodies += other.bodies, mass += other.mass;
    for (int i = 0; i < 3; ++i) first[i] += other.first[i], second[i] += other.second[i];
    return *this;
}

RadialBins::RadialBins(const Subject& subject, const AnalysisSettings& settings, bool round_axis, bool logarithmic)
    : bins{make_bins(subject, settings, round_axis, logarithmic)}, sums(bins.size()), cylindrical{round_axis} {
    const auto add = [&](std::size_t i, std::vector<BinSums>& to) {
        const Vec3d x = subject.position(i), v = subject.velocity(i);
        const double flat = std::hypot(x.x, x.y), r = cylindrical ? flat : std::hypot(flat, x.z);
        const std::size_t bin = bins.of(r);
        if (bin == Bins::kNone) return;
        // On the axis, where the direction is undefined, x counts as outward.
        const double c = flat > 0 ? x.x / flat : 1, s = flat > 0 ? x.y / flat : 0;
        const double outward = c * v.x + s * v.y, around = c * v.y - s * v.x;
        double along[3] = {outward, around, v.z};
        if (!cylindrical && r > 0) {
            along[0] = (flat * outward + x.z * v.z) / r;
            along[2] = (x.z * outward - flat * v.z) / r;
        }
        BinSums& sum = to[bin];
        const double m = subject.mass(i);
        ++sum.bodies, sum.mass += m;
        for (int k = 0; k < 3; ++k) sum.first[k] += m * along[k], sum.second[k] += m * along[k] * along[k];
    };
    for (const std::vector<BinSums>&part :
         by_blocks(subject.pool(), subject.size(), [&](std::size_t first, std::size_t last) {
             std::vector<BinSums> own(bins.size());
             for (std::size_t i = first; i < last; ++i) add(i, own);
             return own;
         }))
        for (std::size_t i = 0; i < sums.size(); ++i) sums[i] += part[i];
}

double RadialBins::area(std::size_t i) const {
    return std::numbers::pi * (bins.high(i) * bins.high(i) - bins.low(i) * bins.low(i));
}

double RadialBins::volume(std::size_t i) const {
    return 4 * std::numbers::pi / 3 * (std::pow(bins.high(i), 3) - std::pow(bins.low(i), 3));
}

std::vector<AnalysisColumn> RadialBins::columns(const Subject& subject) const {
    const std::string radius = cylindrical ? "R" : "r", unit = subject.units().length;
    std::vector<AnalysisColumn> columns{{radius + "_inner", with_unit("inner " + radius, unit), {}},
                                        {radius + "_outer", with_unit("outer " + radius, unit), {}},
                                        {radius, with_unit(radius, unit), {}},
                                        {"bodies", "bodies", {}}};
    for (std::size_t i = 0; i < bins.size(); ++i) {
        columns[0].values.push_back(bins.low(i));
        columns[1].values.push_back(bins.high(i));
        columns[2].values.push_back(bins.middle(i));
        columns[3].values.push_back(static_cast<double>(sums[i].bodies));
    }
    return columns;
}

}  // namespace orrery
