// SPDX-License-Identifier: MIT
// Block time steps: individual time steps of dt over a power of two, so that many bodies are due at the same time
// (McMillan 1986; Makino 1991, PASJ 43, 859). Runs on the host and on a device.
#pragma once
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/base/hd.hpp"
#include "core/base/vec.hpp"

namespace orrery {

/// How the steps within an interval are chosen.
struct StepRule {
    bool hermite;  ///< the Hermite scheme; false: leapfrog
    double dt;     ///< the interval; negative: backward
    double eta;    ///< accuracy parameter of the criterion; 0: one step for all
    double softening;
};

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

/// Number of bodies on each level.
inline std::vector<std::size_t> ladder_of(std::span<const std::uint8_t> levels) {
    std::vector<std::size_t> counts;
    for (const std::uint8_t level : levels) {
        if (level >= counts.size()) counts.resize(level + std::size_t{1});
        ++counts[level];
    }
    return counts;
}

/// Steps shrink by any number of levels at once, but grow by a factor of two only at times that are multiples of the
/// longer step. `now` in ticks.
ORRERY_HD constexpr int next_level(int level, int wanted, std::uint64_t now) {
    if (wanted > level) return wanted;
    return wanted < level && now % ticks_of(level - 1) == 0 ? level - 1 : level;
}

template <class Real>
ORRERY_HD double length(const Vec4<Real>& v) {
    const double x = v.x, y = v.y, z = v.z;
    return std::sqrt(x * x + y * y + z * z);
}

/// Leapfrog steps below dt/2^20 are refused: an interval would take too long.
inline constexpr int kFinestLeapfrog = 20;
/// First level of a body without history: one short step measures how its acceleration changes.
inline constexpr int kLeapfrogStart = 12;

/// √(2ηε/|a|), the time in which a body at rest falls √η times ε (Springel 2005, MNRAS 364, 1105, eq. 34).
template <class Real>
ORRERY_HD double softened_step(double eta, double softening, const Vec4<Real>& acceleration) {
    return std::sqrt(2 * eta * softening / length(acceleration));
}

/// The step criterion without softening, for a step h that ended with `velocity` and over which the acceleration
/// changed from `before` to `after`, evaluated at its middle: √(2η) times the shorter of |a|/|da/dt| and
/// √(|v|/|da/dt|); both equal 1/Ω on a circle. The first gives no limit where a body turns back; the second is
/// sensitive only to the velocity. Near a point of zero force the first would fall to 0. So while |a| falls, the step
/// shrinks by at most ¾√(2η) per unit of time, its rate for a body that falls towards another from far away; while |a|
/// rises, the step is at least √(2η)/2 of h, its length for a body that leaves such a point. `last`: the result for the
/// previous step; 0: unknown.
template <class Real>
ORRERY_HD double unsoftened_step(double eta, double h, const Vec4<Real>& before, const Vec4<Real>& after,
                                 const Vec4<Real>& velocity, double last) {
    const double share = std::sqrt(2 * eta), a = length(before), b = length(after);
    const double change = length(Vec4<Real>{after.x - before.x, after.y - before.y, after.z - before.z, 0}) / h;
    if (!(change > 0)) return HUGE_VAL;
    const double found = share * std::fmin(std::sqrt(a * b) / change, std::sqrt((length(velocity) + b * h) / change));
    return std::fmax(found, b < a ? last - 0.75 * std::fmin(share, 1.0) * h : share * h / 2);
}

/// The length of the next step, from the criterion extrapolated to its middle: `earlier` and, after a time h, `later`
/// are two values, and the step begins `ahead` after the second. With the criterion at the beginning of a step instead,
/// steps towards a pericentre are longer than those away from it, and orbits drift.
ORRERY_HD inline double step_by_middle(double earlier, double later, double h, double ahead) {
    const double slope = std::fmin(std::fmax((later - earlier) / h, -1.0), 1.0);
    return std::fmin(std::fmax((later + slope * ahead) / (1 - slope / 2), later / 2), 2 * later);
}

/// The length of a body's next step after one of h, from the accelerations at both ends and the velocity at its end,
/// whose w stores the last criterion if there is no softening. A body whose acceleration is not finite is lost; the end
/// of the interval reports it.
template <class Real>
ORRERY_HD double next_leapfrog(const StepRule& rule, double h, const Vec4<Real>& before, const Vec4<Real>& after,
                               Vec4<Real>& velocity) {
    const double whole = std::fabs(rule.dt), step = std::fabs(h);
    if (!(length(after) < HUGE_VAL)) return whole;
    if (rule.softening > 0)
        return step_by_middle(softened_step(rule.eta, rule.softening, before),
                              softened_step(rule.eta, rule.softening, after), step, 0);
    const double last = velocity.w, found = unsoftened_step(rule.eta, step, before, after, velocity, last);
    velocity.w = static_cast<Real>(found < whole ? found : whole);
    return last > 0 ? step_by_middle(last, found, step, step / 2) : found;
}

/// The level of the first step of an interval.
template <class Real>
ORRERY_HD int first_leapfrog_level(const StepRule& rule, const Vec4<Real>& acceleration, const Vec4<Real>& velocity) {
    if (rule.softening > 0)
        return length(acceleration) < HUGE_VAL
                   ? level_of(softened_step(rule.eta, rule.softening, acceleration), rule.dt)
                   : 0;
    return velocity.w > 0 ? level_of(velocity.w, rule.dt) : kLeapfrogStart;
}

// The fourth-order Hermite scheme for one body (Makino & Aarseth 1992, PASJ 44, 141), and its step lengths for block
// time steps. Runs on the host and on a device.

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
