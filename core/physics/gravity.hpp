// SPDX-License-Identifier: MIT
#pragma once
#include <cmath>
#include <limits>

#include "core/base/hd.hpp"
#include "core/base/vec.hpp"

namespace orrery {

/// Pairs below this squared distance exert no force: 1/r³ would overflow. It also prevents self-interaction when ε = 0.
/// Engines need the comparison only when ε² does not exceed it.
template <class Real>
inline constexpr Real kTouching = Real(1e-200);
template <>
inline constexpr float kTouching<float> = 1e-24f;

/// Adds the acceleration of one body by another (GPU Gems 3, ch. 31, eq. 3, without G): the plain form, for references
/// and checks. w of `sum` accumulates m/√(r²+ε²). A coincident body with ε = 0 is skipped.
inline void add_pull(Vec4d& sum, Vec3d self, Vec4d other, double softening2) {
    const Vec3d r = xyz(other) - self;
    const double r2 = dot(r, r) + softening2;
    if (r2 <= kTouching<double>) return;
    const double inverse = 1 / std::sqrt(r2), s = other.w * inverse * inverse * inverse;
    sum.x += s * r.x, sum.y += s * r.y, sum.z += s * r.z, sum.w += other.w * inverse;
}

}  // namespace orrery
