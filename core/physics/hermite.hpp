// SPDX-License-Identifier: MIT
// The fourth-order Hermite scheme for one body (Makino & Aarseth 1992, PASJ 44, 141), and its step lengths for block
// time steps. Runs on the host and on a device.
#pragma once
#include <cmath>

#include "core/base/hd.hpp"
#include "core/base/vec.hpp"
#include "core/physics/block_steps.hpp"

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

/// Corrects one component; see corrected().
template <class Real>
ORRERY_HD void correct_component(Real h, Real& x, Real& v, Real a0, Real j0, Real a1, Real j1) {
    const Real v1 = v + h * ((a0 + a1) / 2 + h * ((j0 - j1) / 12));
    x += h * ((v + v1) / 2 + h * ((a0 - a1) / 12));
    v = v1;
}

/// The body after a step h, given the acceleration and jerk at its predicted position.
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

/// The first step, half of √η |a|/|j|: higher derivatives are not yet known at the beginning of an interval.
template <class Real>
ORRERY_HD double first_step(double eta, const Vec4<Real>& acceleration, const Vec4<Real>& jerk) {
    return 0.5 * std::sqrt(eta) * length(acceleration) / length(jerk);
}

/// The Aarseth criterion √(η (|a||a⁽²⁾| + |j|²) / (|j||a⁽³⁾| + |a⁽²⁾|²)) at the end of a step h from `from` to `to`
/// (Aarseth 1985, in Multiple Time Scales).
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

}  // namespace orrery
