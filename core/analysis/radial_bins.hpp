// SPDX-License-Identifier: MIT
#pragma once
#include <vector>

#include "core/analysis/bins.hpp"
#include "core/analysis/result.hpp"
#include "core/analysis/subject.hpp"

namespace orrery {

/// What the bodies of a ring or shell add up to: masses, and masses times velocities and their squares.
struct BinSums {
    std::size_t bodies = 0;
    double mass = 0;
    double first[3] = {}, second[3] = {};

    double mean(int i) const { return mass > 0 ? first[i] / mass : 0; }
    /// Mean of the squares less the square of the mean; not below 0.
    double variance(int i) const;
    BinSums& operator+=(const BinSums& other);
};

/// Rings about the axis (cylindrical) or shells about the centre, and sums over their bodies of velocities along the
/// radius, around the axis and along it, or along the radius, around the axis and along the meridian.
struct RadialBins {
    Bins bins;
    std::vector<BinSums> sums;
    bool cylindrical;

    /// `logarithmic`: what AnalysisScale::kAuto stands for. Throws Error{kUsage} for ends that are in the wrong order,
    /// or not above 0 where the scale is logarithmic, and where all bodies are at the centre.
    RadialBins(const Subject& subject, const AnalysisSettings& settings, bool cylindrical, bool logarithmic);

    double area(std::size_t i) const;    ///< of a ring
    double volume(std::size_t i) const;  ///< of a shell

    /// Columns that all of them begin with: inner and outer edge, middle, number of bodies. The middle is column 2.
    std::vector<AnalysisColumn> columns(const Subject& subject) const;
};

}  // namespace orrery
