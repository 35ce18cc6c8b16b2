// SPDX-License-Identifier: MIT
#pragma once
#include <vector>

#include "core/analysis/bins.hpp"
#include "core/analysis/result.hpp"
#include "core/analysis/subject.hpp"

namespace orrery {

/// Sums over the bodies of a ring or shell: masses, and masses times velocities and their squares.
struct BinSums {
    std::size_t bodies = 0;
    double mass = 0;
    double first[3] = {}, second[3] = {};

    double mean(int i) const { return mass > 0 ? first[i] / mass : 0; }
    /// Mean of the squares minus the square of the mean; clamped to 0.
    double variance(int i) const;
    BinSums& operator+=(const BinSums& other);
};

/// Rings about the axis (cylindrical) or shells about the centre, with sums over their bodies. The velocity components
/// are radial, around the axis, and along the axis (rings) or the meridian (shells).
struct RadialBins {
    Bins bins;
    std::vector<BinSums> sums;
    bool cylindrical;

    /// `logarithmic`: the scale selected by AnalysisScale::kAuto. Throws Error{kUsage} for ends in the wrong order, or
    /// not above 0 on a logarithmic scale, and if all bodies are at the centre.
    RadialBins(const Subject& subject, const AnalysisSettings& settings, bool cylindrical, bool logarithmic);

    double area(std::size_t i) const;    ///< of a ring
    double volume(std::size_t i) const;  ///< of a shell

    /// The common first columns: inner edge, outer edge, middle, number of bodies. The middle is column 2.
    std::vector<AnalysisColumn> columns(const Subject& subject) const;
};

}  // namespace orrery
