// SPDX-License-Identifier: MIT
#pragma once
#include <vector>

#include "core/base/vec.hpp"

namespace orrery {

template <class Real>
std::vector<Vec4d> widened(const std::vector<Vec4<Real>>& values) {
    std::vector<Vec4d> copy;
    copy.reserve(values.size());
    for (const Vec4<Real>& v : values) copy.push_back(convert<double>(v));
    return copy;
}

/// to += change; `low` is the rounding error of `to` so far (Kahan 1965, Comm. ACM 8, 40, with Knuth's two-sum, which
/// does not need ordered magnitudes).
template <class Real>
void add_compensated(Real& to, Real& low, Real change) {
    const Real more = change + low, sum = to + more, taken = sum - to;
    low = (to - (sum - taken)) + (more - taken);
    to = sum;
}

}  // namespace orrery
