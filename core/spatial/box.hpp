// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <limits>

namespace orrery {

/// Two opposite corners. `Vector` is a Vec3, or a Vec4 for aligned loads on a device, whose w is unused.
template <class Vector>
struct Box {
    Vector low, high;

    /// The box of no points: infinitely far from any other.
    static constexpr Box none() {
        constexpr auto far = std::numeric_limits<decltype(Vector::x)>::infinity();
        return {{far, far, far}, {-far, -far, -far}};
    }
    constexpr void include(const Box& other) {
        low = {std::min(low.x, other.low.x), std::min(low.y, other.low.y), std::min(low.z, other.low.z)};
        high = {std::max(high.x, other.high.x), std::max(high.y, other.high.y), std::max(high.z, other.high.z)};
    }
    constexpr bool overlaps(const Box& other) const {
        return low.x <= other.high.x && other.low.x <= high.x && low.y <= other.high.y && other.low.y <= high.y &&
               low.z <= other.high.z && other.low.z <= high.z;
    }
};

/// Squared distance between two boxes; 0 if they overlap.
template <class Vector>
constexpr auto distance2(const Box<Vector>& a, const Box<Vector>& b) {
    const auto gap = [](auto low_a, auto high_a, auto low_b, auto high_b) {
        return std::max({low_a - high_b, low_b - high_a, decltype(low_a){0}});
    };
    const auto x = gap(a.low.x, a.high.x, b.low.x, b.high.x), y = gap(a.low.y, a.high.y, b.low.y, b.high.y),
               z = gap(a.low.z, a.high.z, b.low.z, b.high.z);
    return x * x + y * y + z * z;
}

}  // namespace orrery
