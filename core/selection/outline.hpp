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
    struct Edge {
        double x, y, slope;  ///< x + slope (y' − y) at height y'
        double low, high;    ///< heights: low ≤ y' < high
    };
    /// The edges by strips of equal height; an edge is in each strip that it crosses.
    struct Shape {
        double left = 0, right = 0, low = 0, high = 0;  ///< of all corners
        double strips_per_height = 0;
        std::vector<std::uint32_t> first;  ///< edge of each strip, and their number; empty: nothing is enclosed
        std::vector<Edge> edges;           ///< by strip
    };

    /// The line returns from its last corner to the first. Fewer than three corners enclose nothing.
    explicit Outline(const std::vector<OutlinePoint>& corners);
    bool holds(double x, double y) const;  ///< false for NaN
    const Shape& shape() const { return shape_; }

private:
    Shape shape_;
};

}  // namespace orrery
