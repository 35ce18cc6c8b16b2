// SPDX-License-Identifier: MIT
// The fourth-order Hermite scheme for one body (Makino & Aarseth 1992, PASJ 44, 141), and its step lengths with block
// time steps: an interval dt over powers of two (McMillan 1986; Makino 1991, PASJ 43, 859). The same on the host and on
// a device.
#pragma once
#include <cmath>
#include <cstdint>

#include "core/base/hd.hpp"
#include "core/base/vec.hpp"

namespace orrery {

/// A body at its own time: position (w = mass), velocity, acceleration and jerk.
template <class Real>
struct HermiteBody {
    Vec4<Real> position, velocity, acceleration, jerk;
};

/// x + h (v + h (a/2 + h j/6)) and v + h (a + h j/2); acceleration and jerk are unchanged.
template <class Real>
ORRERY_HD HermiteBody<Real> predicted(const HermiteBody<Real>& b, Real h) {
    const Vec4<Real>&x = b.position, &v = b.velocity, &a = b.acceleration, &j = b.jerk;
    const auto moved = [h](Real v0, Real a0, Real j0) { return h * (v0 + h * (a0 / 2 + h * (j0 / 6))); };
    const auto turned = [h](Real a0, Real j0) { return h * (a0 + h * (j0 / 2)); };
    return {{x.x + moved(v.x, a.x, j.x), x.y + moved(v.y, a.y, j.y), x.z + moved(v.z, a.z, j.z), x.w},
            {v.x + turned(a.x, j.x), v.y + turned(a.y, j.y), v.z + turned(a.z, j.z), v.w},
            a,
            j};
}

/// One component of corrected().
template <class Real>
ORRERY_HD void correct_component(Real h, Real& x, Real& v, Real a0, Real j0, Real a1, Real j1) {
    const Real v1 = v + h * ((a0 + a1) / 2 + h * ((j0 - j1) / 12));
    x += h * ((v + v1) / 2 + h * ((a0 - a1) / 12));
    v = v1;
}

/// The body after a step h, with the acceleration and jerk at its predicted position.
template <class Real>
ORRERY_HD HermiteBody<Real> corrected(const HermiteBody<Real>& from, Real h, const Vec4<Real>& acceleration,
                                      const Vec4<Real>& jerk) {
    HermiteBody<Real> to{from.position, from.velocity, acceleration, jerk};
    const Vec4<Real>&a = from.acceleration, &j = from.jerk;
    correct_component(h, to.position.x, to.velocity.x, a.x, j.x, acceleration.x, jerk.x);
    correct_component(h, to.position.y, to.velocity.y, a.y, j.y, acceleration.y, jerk.y);
    correct_component(h, to.position.z, to.velocity.z, a.z, j.z, acceleration.z, jerk.z);
    return to;
}

/// Times within an interval are counted in ticks of dt/2^40; a body's step is dt/2^level.
inline constexpr int kFinestLevel = 40;
inline constexpr std::uint64_t kWholeInterval = std::uint64_t{1} << kFinestLevel;

ORRERY_HD constexpr std::uint64_t ticks_of(int level) { return kWholeInterval >> level; }
ORRERY_HD constexpr double length_of(std::uint64_t ticks, double dt) {
    return dt * (static_cast<double>(ticks) * 0x1p-40);
}

/// The level of the longest step not longer than `wanted`; level 0 if that is NaN.
ORRERY_HD inline int level_of(double wanted, double dt) {
    const double most = std::fabs(dt);
    if (!(wanted < most)) return 0;
    const double level = std::ceil(std::log2(most / wanted));
    return level < kFinestLevel ? static_cast<int>(level) : kFinestLevel;
}

template <class Real>
ORRERY_HD double length(const Vec4<Real>& v) {
    const double x = v.x, y = v.y, z = v.z;
    return std::sqrt(x * x + y * y + z * z);
}

/// Half of √η |a|/|j|: at the beginning of an interval, where higher derivatives are not yet known.
template <class Real>
ORRERY_HD double first_step(double eta, const Vec4<Real>& acceleration, const Vec4<Real>& jerk) {
    return 0.5 * std::sqrt(eta) * length(acceleration) / length(jerk);
}

/// √(η (|a||a⁽²⁾| + |j|²) / (|j||a⁽³⁾| + |a⁽²⁾|²)) at the end of a step h from `from` to `to` (Aarseth 1985, in
/// Multiple Time Scales).
template <class Real>
ORRERY_HD double next_step(double eta, double h, const HermiteBody<Real>& from, const HermiteBody<Real>& to) {
    const auto in_double = [](const Vec4<Real>& v) { return Vec3d{double(v.x), double(v.y), double(v.z)}; };
    const Vec3d difference = in_double(from.acceleration) - in_double(to.acceleration);
    const Vec3d j0 = in_double(from.jerk), j1 = in_double(to.jerk);
    const Vec3d third = 1 / (h * h * h) * (12.0 * difference + 6 * h * (j0 + j1));
    const Vec3d second = 1 / (h * h) * (-6.0 * difference - h * (4.0 * j0 + 2.0 * j1)) + h * third;
    const double a = length(to.acceleration), j = length(to.jerk);
    return std::sqrt(eta * (a * std::sqrt(dot(second, second)) + j * j) /
                     (j * std::sqrt(dot(third, third)) + dot(second, second)));
}

/// Steps shrink as far as necessary, and grow by a factor of two only at times that are multiples of the longer step.
/// `now`: ticks.
ORRERY_HD constexpr int next_level(int level, int wanted, std::uint64_t now) {
    if (wanted > level) return wanted;
    return wanted < level && now % ticks_of(level - 1) == 0 ? level - 1 : level;
}

}  // namespace orrery
