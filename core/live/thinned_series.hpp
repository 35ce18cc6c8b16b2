// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <vector>

namespace orrery {

/// Points in order of time, at most kMost: when full, drops every other point and skips later ones accordingly.
template <class Point>
class ThinnedSeries {
public:
    static constexpr std::size_t kMost = 400;
    void add(const Point& point) {
        if (seen_++ % stride_ != 0) return;
        points_.push_back(point);
        if (points_.size() < kMost) return;
        for (std::size_t i = 0; 2 * i < points_.size(); ++i) points_[i] = points_[2 * i];
        points_.resize((points_.size() + 1) / 2);
        stride_ *= 2;
    }
    const std::vector<Point>& points() const { return points_; }

private:
    std::vector<Point> points_;
    std::size_t stride_ = 1, seen_ = 0;
};

}  // namespace orrery
