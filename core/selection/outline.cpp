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
    shape_.left = left.x, shape_.right = right.x, shape_.low = low.y, shape_.high = high.y;
    if (!(high.y > low.y)) return;
    const std::size_t strips = std::min(kMostStrips, corners.size());
    shape_.strips_per_height = static_cast<double>(strips) / (high.y - low.y);
    const auto strip_of = [&](double y) {
        const double at = (y - shape_.low) * shape_.strips_per_height;
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
        shape_.first.push_back(static_cast<std::uint32_t>(shape_.edges.size()));
        shape_.edges.insert(shape_.edges.end(), strip.begin(), strip.end());
    }
    shape_.first.push_back(static_cast<std::uint32_t>(shape_.edges.size()));
}

bool Outline::holds(double x, double y) const {
    const Shape& in = shape_;
    if (!(x >= in.left && x <= in.right && y >= in.low && y < in.high)) return false;
    const auto strip =
        std::min(static_cast<std::size_t>((y - in.low) * in.strips_per_height), in.first.size() - std::size_t{2});
    bool odd = false;
    for (std::uint32_t k = in.first[strip]; k < in.first[strip + 1]; ++k) {
        const Edge& edge = in.edges[k];
        if (y >= edge.low && y < edge.high && x < edge.x + edge.slope * (y - edge.y)) odd = !odd;
    }
    return odd;
}

}  // namespace orrery
