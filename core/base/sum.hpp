// SPDX-License-Identifier: MIT
#pragma once
#include <cmath>

#include "core/base/vec.hpp"

namespace orrery {

/// Compensated sum (Neumaier 1974, Z. angew. Math. Mech. 54, 39), so that a momentum that should vanish does.
class Sum {
public:
    void add(double value) {
        const double next = sum_ + value;
        lost_ += std::abs(sum_) >= std::abs(value) ? (sum_ - next) + value : (value - next) + sum_;
        sum_ = next;
    }
    void add(const Sum& other) { add(other.sum_), lost_ += other.lost_; }
    double value() const { return sum_ + lost_; }

private:
    double sum_ = 0, lost_ = 0;
};

struct VectorSum {
    Sum x, y, z;
    void add(Vec3d v) { x.add(v.x), y.add(v.y), z.add(v.z); }
    void add(const VectorSum& other) { x.add(other.x), y.add(other.y), z.add(other.z); }
    Vec3d value() const { return {x.value(), y.value(), z.value()}; }
};

}  // namespace orrery
