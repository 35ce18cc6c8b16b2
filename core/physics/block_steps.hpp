// SPDX-License-Identifier: MIT
// Individual time steps such that many bodies are due at the same time (block time steps): an interval dt over powers
// of two (McMillan 1986; Makino 1991, PASJ 43, 859). The same on the host and on a device.
#pragma once
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/base/hd.hpp"
#include "core/base/vec.hpp"

namespace orrery {

/// How the steps of an interval are made.
struct StepRule {
    bool hermite;  ///< the Hermite scheme; else leapfrog
    double dt;     ///< the interval; negative: backward
    double eta;    ///< of the criterion; 0: one step for all
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

/// How many are of each level.
inline std::vector<std::size_t> ladder_of(std::span<const std::uint8_t> levels) {
    std::vector<std::size_t> counts;
    for (const std::uint8_t level : levels) {
        if (level >= counts.size()) counts.resize(level + std::size_t{1});
        ++counts[level];
    }
    return counts;
}

/// Steps shrink as far as necessary, and grow by a factor of two only at times that are multiples of the longer step.
/// `now`: ticks.
ORRERY_HD constexpr int next_level(int level, int wanted, std::uint64_t now) {
    if (wanted > level) return wanted;
    return wanted < level && now % ticks_of(level - 1) == 0 ? level - 1 : level;
}

template <class Real>
ORRERY_HD double length(const Vec4<Real>& v) {
    const double x = v.x, y = v.y, z = v.z;
    return std::sqrt(x * x + y * y + z * z);
}

/// Leapfrog steps below dt/2^20 are refused: nobody would see the end of the interval.
inline constexpr int kFinestLeapfrog = 20;
/// Of a body of which nothing is known yet: one short step shows how its acceleration changes.
inline constexpr int kLeapfrogStart = 12;

/// √(2ηε/|a|), the time in which a body at rest falls √η times ε (Springel 2005, MNRAS 364, 1105, eq. 34).
template <class Real>
ORRERY_HD double softened_step(double eta, double softening, const Vec4<Real>& acceleration) {
    return std::sqrt(2 * eta * softening / length(acceleration));
}

/// Without a softening, of a step h that ended with `velocity` and over which the acceleration changed from `before` to
/// `after`, at its middle: √(2η) times the shorter of |a|/|da/dt| and √(|v|/|da/dt|), which are 1/Ω each on a circle.
/// The first is none where a body turns back, the other knows only what moves. Through a place of no force the first
/// would fall to 0: while |a| falls the step falls by at most ¾√(2η) per unit of time, as it does where a body falls to
/// another from far away; while |a| rises the step is at least √(2η)/2 of h, as of a body that comes from such a place.
/// `last`: the same of the step before; 0: unknown.
template <class Real>
ORRERY_HD double unsoftened_step(double eta, double h, const Vec4<Real>& before, const Vec4<Real>& after,
                                 const Vec4<Real>& velocity, double last) {
    const double share = std::sqrt(2 * eta), a = length(before), b = length(after);
    const double change = length(Vec4<Real>{after.x - before.x, after.y - before.y, after.z - before.z, 0}) / h;
    if (!(change > 0)) return HUGE_VAL;
    const double found = share * std::fmin(std::sqrt(a * b) / change, std::sqrt((length(velocity) + b * h) / change));
    return std::fmax(found, b < a ? last - 0.75 * std::fmin(share, 1.0) * h : share * h / 2);
}

/// The length of the next step, as the criterion is expected to be at its middle: from what it was `earlier`, and
/// `later` after a time h, from where the step begins `ahead`. From what it is at their beginnings, steps towards a
/// pericentre are longer than those away from it, and orbits drift.
ORRERY_HD inline double step_by_middle(double earlier, double later, double h, double ahead) {
    const double slope = std::fmin(std::fmax((later - earlier) / h, -1.0), 1.0);
    return std::fmin(std::fmax((later + slope * ahead) / (1 - slope / 2), later / 2), 2 * later);
}

/// The length of the step of a body that follows one of h, from the accelerations at both ends and the velocity at the
/// last, in w of which the criterion is kept where there is no softening. A body whose acceleration is not finite is
/// lost, which the end of the interval tells.
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

}  // namespace orrery
