// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

namespace orrery {

/// Intervals side by side, equal or of equal ratio. Each has its lower edge; the last has both.
class Bins {
public:
    static constexpr std::size_t kNone = static_cast<std::size_t>(-1);

    /// `low` < `high`, `count` at least 1; logarithmic ones need `low` > 0.
    Bins(double low, double high, std::size_t count, bool logarithmic)
        : low_{logarithmic ? std::log(low) : low},
          step_{((logarithmic ? std::log(high) : high) - low_) / static_cast<double>(count)},
          logarithmic_{logarithmic} {
        for (std::size_t i = 0; i <= count; ++i) {
            const double at = low_ + step_ * static_cast<double>(i);
            edges_.push_back(logarithmic ? std::exp(at) : at);
        }
        edges_.front() = low, edges_.back() = high;  // as given, not as rounded
    }

    std::size_t size() const { return edges_.size() - 1; }
    const std::vector<double>& edges() const { return edges_; }
    double low(std::size_t i) const { return edges_[i]; }
    double high(std::size_t i) const { return edges_[i + 1]; }
    double middle(std::size_t i) const { return logarithmic_ ? std::sqrt(low(i) * high(i)) : 0.5 * (low(i) + high(i)); }
    /// kNone: outside, or no number.
    std::size_t of(double value) const {
        if (!(value >= edges_.front() && value <= edges_.back())) return kNone;
        const double place = ((logarithmic_ ? std::log(value) : value) - low_) / step_;
        std::size_t i = place <= 0 ? 0 : std::min(static_cast<std::size_t>(place), size() - 1);
        // The edges have the last word over a place that rounding moved.
        while (i > 0 && value < edges_[i]) --i;
        while (i + 1 < size() && value >= edges_[i + 1]) ++i;
        return i;
    }

private:
    double low_, step_;
    bool logarithmic_;
    std::vector<double> edges_;
};

}  // namespace orrery
