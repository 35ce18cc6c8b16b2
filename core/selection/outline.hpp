// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <vector>

namespace orrery {

struct OutlinePoint {
    double x, y;
};

/// The inside of a closed line by the even-odd rule. A point costs the edges of its own strip of y, so a lasso of a
/// thousand corners costs little more than a box.
class Outline {
public:
    /// The line returns from its last corner to the first. Fewer than three corners enclose nothing.
    explicit Outline(const std::vector<OutlinePoint>& corners);
    bool holds(double x, double y) const;  ///< false for NaN

private:
    struct Edge {
        double x, y, slope;  // x + slope (y' − y) at height y'
        double low, high;    // heights: low ≤ y' < high
    };
    double left_ = 0, right_ = 0, low_ = 0, high_ = 0;  // of all corners
    double strips_per_height_ = 0;
    std::vector<std::uint32_t> first_;  // edge of each strip, and their number
    std::vector<Edge> edges_;           // by strip; an edge is in each strip that it crosses
};

}  // namespace orrery
