// SPDX-License-Identifier: MIT
#pragma once
#include <cmath>

#include "core/base/hd.hpp"

namespace orrery {

template <class Real>
struct Vec3 {
    Real x, y, z;
    friend bool operator==(const Vec3&, const Vec3&) = default;
};

/// Four numbers loaded as one vector: 16 bytes in float, 32 in double (CUDA loads 16 at a time).
template <class Real>
struct alignas(16) Vec4 {
    Real x, y, z, w;
    friend bool operator==(const Vec4&, const Vec4&) = default;
};

using Vec3f = Vec3<float>;
using Vec3d = Vec3<double>;
using Vec4f = Vec4<float>;
using Vec4d = Vec4<double>;

template <class Real>
ORRERY_HD constexpr Vec3<Real> operator+(Vec3<Real> a, Vec3<Real> b) {
    return {a.x + b.x, a.y + b.y, a.z + b.z};
}
template <class Real>
ORRERY_HD constexpr Vec3<Real> operator-(Vec3<Real> a, Vec3<Real> b) {
    return {a.x - b.x, a.y - b.y, a.z - b.z};
}
template <class Real>
ORRERY_HD constexpr Vec3<Real> operator*(Real s, Vec3<Real> a) {
    return {s * a.x, s * a.y, s * a.z};
}
template <class Real>
ORRERY_HD constexpr Real dot(Vec3<Real> a, Vec3<Real> b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}
template <class Real>
ORRERY_HD Real length(Vec3<Real> a) {
    return std::sqrt(dot(a, a));
}
template <class Real>
ORRERY_HD constexpr Vec3<Real> cross(Vec3<Real> a, Vec3<Real> b) {
    return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
template <class Real>
ORRERY_HD constexpr Vec3<Real> xyz(Vec4<Real> a) {
    return {a.x, a.y, a.z};
}
template <class To, class From>
constexpr Vec4<To> convert(Vec4<From> a) {
    return {To(a.x), To(a.y), To(a.z), To(a.w)};
}

/// Compensated sum (Neumaier 1974, Z. angew. Math. Mech. 54, 39), so that a momentum that should vanish does.
class CompensatedSum {
public:
    void add(double value) {
        const double next = sum_ + value;
        lost_ += std::abs(sum_) >= std::abs(value) ? (sum_ - next) + value : (value - next) + sum_;
        sum_ = next;
    }
    void add(const CompensatedSum& other) { add(other.sum_), lost_ += other.lost_; }
    double value() const { return sum_ + lost_; }

private:
    double sum_ = 0, lost_ = 0;
};

struct VectorSum {
    CompensatedSum x, y, z;
    void add(Vec3d v) { x.add(v.x), y.add(v.y), z.add(v.z); }
    void add(const VectorSum& other) { x.add(other.x), y.add(other.y), z.add(other.z); }
    Vec3d value() const { return {x.value(), y.value(), z.value()}; }
};

}  // namespace orrery
