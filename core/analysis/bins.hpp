// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "core/analysis/result.hpp"
#include "core/analysis/subject.hpp"

namespace orrery {

/// Adjacent intervals of equal width or equal ratio. Each contains its lower edge; the last contains both.
class Bins {
public:
    static constexpr std::size_t kNone = static_cast<std::size_t>(-1);

    /// `low` < `high`, `count` ≥ 1; logarithmic bins need `low` > 0.
    Bins(double low, double high, std::size_t count, bool logarithmic)
        : low_{logarithmic ? std::log(low) : low},
          step_{((logarithmic ? std::log(high) : high) - low_) / static_cast<double>(count)},
          logarithmic_{logarithmic} {
        for (std::size_t i = 0; i <= count; ++i) {
            const double at = low_ + step_ * static_cast<double>(i);
            edges_.push_back(logarithmic ? std::exp(at) : at);
        }
        edges_.front() = low, edges_.back() = high;  // exactly as given
    }

    std::size_t size() const { return edges_.size() - 1; }
    const std::vector<double>& edges() const { return edges_; }
    double low(std::size_t i) const { return edges_[i]; }
    double high(std::size_t i) const { return edges_[i + 1]; }
    double middle(std::size_t i) const { return logarithmic_ ? std::sqrt(low(i) * high(i)) : 0.5 * (low(i) + high(i)); }
    /// Index of the bin; kNone for values outside and NaN.
    std::size_t of(double value) const {
        if (!(value >= edges_.front() && value <= edges_.back())) return kNone;
        const double place = ((logarithmic_ ? std::log(value) : value) - low_) / step_;
        std::size_t i = place <= 0 ? 0 : std::min(static_cast<std::size_t>(place), size() - 1);
        // Compares with the edges, in case rounding moved the value to a neighbouring bin.
        while (i > 0 && value < edges_[i]) --i;
        while (i + 1 < size() && value >= edges_[i + 1]) ++i;
        return i;
    }

private:
    double low_, step_;
    bool logarithmic_;
    std::vector<double> edges_;
};

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

/// The cells of a square plane through the centre of a subject, along each of its sides: from `from` to `to` of the
/// settings, by default as far as most of the mass reaches; as many as `bins`, by default `standard`. Throws
/// Error{kUsage} for ends in the wrong order.
Bins cells_of_plane(const Subject& subject, const AnalysisSettings& settings, std::size_t standard);

}  // namespace orrery
