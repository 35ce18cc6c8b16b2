// SPDX-License-Identifier: MIT
#include "core/selection/outline.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace orrery {
namespace {

constexpr std::size_t kMostStrips = 1024;

}  // namespace

Outline::Outline(const std::vector<OutlinePoint>& corners) {
    if (corners.size() < 3) return;
    const auto [left, right] = std::ranges::minmax(corners, {}, &OutlinePoint::x);
    const auto [low, high] = std::ranges::minmax(corners, {}, &OutlinePoint::y);
    left_ = left.x, right_ = right.x, low_ = low.y, high_ = high.y;
    if (!(high_ > low_)) return;
    const std::size_t strips = std::min(kMostStrips, corners.size());
    strips_per_height_ = static_cast<double>(strips) / (high_ - low_);
    const auto strip_of = [&](double y) {
        const double at = (y - low_) * strips_per_height_;
        return at <= 0 ? std::size_t{0} : std::min(static_cast<std::size_t>(at), strips - 1);
    };
    std::vector<std::vector<Edge>> by_strip(strips);
    for (std::size_t i = 0, before = corners.size() - 1; i < corners.size(); before = i++) {
        const OutlinePoint &a = corners[before], &b = corners[i];
        if (a.y == b.y) continue;
        const Edge edge{a.x, a.y, (b.x - a.x) / (b.y - a.y), std::min(a.y, b.y), std::max(a.y, b.y)};
        for (std::size_t k = strip_of(edge.low); k <= strip_of(edge.high); ++k) by_strip[k].push_back(edge);
    }
    for (const std::vector<Edge>& strip : by_strip) {
        first_.push_back(static_cast<std::uint32_t>(edges_.size()));
        edges_.insert(edges_.end(), strip.begin(), strip.end());
    }
    first_.push_back(static_cast<std::uint32_t>(edges_.size()));
}

bool Outline::holds(double x, double y) const {
    if (!(x >= left_ && x <= right_ && y >= low_ && y < high_)) return false;
    const auto strip =
        std::min(static_cast<std::size_t>((y - low_) * strips_per_height_), first_.size() - std::size_t{2});
    bool odd = false;
    for (std::uint32_t k = first_[strip]; k < first_[strip + 1]; ++k) {
        const Edge& edge = edges_[k];
        if (y >= edge.low && y < edge.high && x < edge.x + edge.slope * (y - edge.y)) odd = !odd;
    }
    return odd;
}

}  // namespace orrery
