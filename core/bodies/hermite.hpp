// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "core/base/vec.hpp"

namespace orrery {

/// Hermite's scheme of fourth order (Makino & Aarseth 1992, PASJ 44, 141) over an interval: all bodies in one step, or
/// each in steps of its own, which are the interval over powers of two, so that many are due at once (block steps:
/// McMillan 1986, Makino 1991, PASJ 43, 859). Lengths of those follow Aarseth's criterion. Keeps nothing from interval
/// to interval: places and velocities at the beginning decide all.
template <class Real>
class HermiteSteps {
public:
    using Vectors = std::vector<Vec4<Real>>;
    /// The state that a system holds: places (w = mass), velocities, and accelerations and jerks there.
    struct State {
        Vectors &place, &velocity;
        const Vectors &pull, &jerk;
    };

    /// Begins an interval of `dt` (negative: backward). η 0: one step for all; else that of the criterion.
    void begin(double dt, double eta, const State& now) {
        dt_ = dt;
        eta_ = eta;
        now_ = 0;
        start_place_ = place_ = now.place;
        start_velocity_ = velocity_ = now.velocity;
        pull_ = now.pull;
        jerk_ = now.jerk;
        time_.assign(place_.size(), 0);
        level_.assign(place_.size(), 0);
        if (eta > 0)
            for (std::size_t i = 0; i < place_.size(); ++i)  // higher derivatives are not known yet: half of √η |a|/|j|
                level_[i] = level_of(0.5 * std::sqrt(eta) * length(pull_[i]) / length(jerk_[i]));
    }

    bool arrived() const { return now_ == kWhole; }

    /// Brings all bodies to the next time at which some are due, along their expansions, and says which these are.
    /// `for_each(body)` calls body(i) for each body, in any order.
    template <class ForEach>
    std::span<const std::uint32_t> predict(const State& now, const ForEach& for_each) {
        now_ = kWhole;
        for (std::size_t i = 0; i < time_.size(); ++i) now_ = std::min(now_, time_[i] + step_of(level_[i]));
        due_.clear();
        for (std::uint32_t i = 0; i < time_.size(); ++i)
            if (time_[i] + step_of(level_[i]) == now_) due_.push_back(i);
        for_each([&](std::size_t i) {
            const auto h = static_cast<Real>(length_of(now_ - time_[i]));
            const Vec4<Real>&x = place_[i], &v = velocity_[i], &a = pull_[i], &j = jerk_[i];
            const auto moved = [&](Real v0, Real a0, Real j0) { return h * (v0 + h * (a0 / 2 + h * (j0 / 6))); };
            const auto turned = [&](Real a0, Real j0) { return h * (a0 + h * (j0 / 2)); };
            now.place[i] = {x.x + moved(v.x, a.x, j.x), x.y + moved(v.y, a.y, j.y), x.z + moved(v.z, a.z, j.z), x.w};
            now.velocity[i] = {v.x + turned(a.x, j.x), v.y + turned(a.y, j.y), v.z + turned(a.z, j.z), v.w};
        });
        return due_;
    }

    /// Ends the steps of those that are due, by the accelerations and jerks had where they were predicted.
    void correct(const State& now) {
        for (const std::uint32_t i : due_) {
            const double h = length_of(now_ - time_[i]);
            const Vec4<Real> a0 = pull_[i], j0 = jerk_[i], a1 = now.pull[i], j1 = now.jerk[i];
            const auto step = static_cast<Real>(h);
            correct_component(step, &Vec4<Real>::x, i, a1, j1);
            correct_component(step, &Vec4<Real>::y, i, a1, j1);
            correct_component(step, &Vec4<Real>::z, i, a1, j1);
            now.place[i] = place_[i], now.velocity[i] = velocity_[i];
            pull_[i] = a1, jerk_[i] = j1;
            time_[i] = now_;
            if (eta_ > 0) choose_level(i, aarseth(h, a0, j0, a1, j1));
        }
    }

    std::span<const std::uint32_t> due() const { return due_; }

    /// The bodies as they were at the beginning.
    void abandon(const State& now) const { now.place = start_place_, now.velocity = start_velocity_; }

private:
    static constexpr int kFinest = 40;  // levels; dt over 2^40
    static constexpr std::uint64_t kWhole = std::uint64_t{1} << kFinest;

    static std::uint64_t step_of(int level) { return kWhole >> level; }
    double length_of(std::uint64_t ticks) const { return dt_ * std::ldexp(static_cast<double>(ticks), -kFinest); }
    static double length(const Vec4<Real>& v) {
        return std::hypot(static_cast<double>(v.x), static_cast<double>(v.y), static_cast<double>(v.z));
    }

    /// The longest step that is no longer than `wanted`; without a number there is nothing to follow.
    int level_of(double wanted) const {
        const double most = std::abs(dt_);
        if (!(wanted < most)) return 0;
        return std::min(kFinest, static_cast<int>(std::ceil(std::log2(most / wanted))));
    }

    /// Steps shrink as far as they must, and grow to the next power where that one begins.
    void choose_level(std::uint32_t i, double wanted) {
        const int level = level_of(wanted), grown = level_[i] - 1;
        if (level > level_[i])
            level_[i] = level;
        else if (level <= grown && now_ % step_of(grown) == 0)
            level_[i] = grown;
    }

    /// √(η (|a||a⁽²⁾| + |j|²) / (|j||a⁽³⁾| + |a⁽²⁾|²)) at the end of a step h (Aarseth 1985, in Multiple Time Scales).
    double aarseth(double h, const Vec4<Real>& a0, const Vec4<Real>& j0, const Vec4<Real>& a1,
                   const Vec4<Real>& j1) const {
        const auto from = [](const Vec4<Real>& v) { return xyz(convert<double>(v)); };
        const Vec3d difference = from(a0) - from(a1);
        const Vec3d third = 1 / (h * h * h) * (12.0 * difference + 6 * h * (from(j0) + from(j1)));
        const Vec3d second = 1 / (h * h) * (-6.0 * difference - h * (4.0 * from(j0) + 2.0 * from(j1))) + h * third;
        const auto size = [](Vec3d v) { return std::sqrt(dot(v, v)); };
        const double a = length(a1), j = length(j1);
        return std::sqrt(eta_ * (a * size(second) + j * j) / (j * size(third) + dot(second, second)));
    }

    void correct_component(Real h, Real Vec4<Real>::*c, std::uint32_t i, const Vec4<Real>& a1, const Vec4<Real>& j1) {
        const Real a0 = pull_[i].*c, j0 = jerk_[i].*c, v0 = velocity_[i].*c;
        const Real v1 = v0 + h * ((a0 + a1.*c) / 2 + h * ((j0 - j1.*c) / 12));
        place_[i].*c += h * ((v0 + v1) / 2 + h * ((a0 - a1.*c) / 12));
        velocity_[i].*c = v1;
    }

    double dt_ = 0, eta_ = 0;
    std::uint64_t now_ = kWhole;  // ticks of dt/2^40 since the beginning
    Vectors start_place_, start_velocity_;
    Vectors place_, velocity_, pull_, jerk_;  // of each body at its own time
    std::vector<std::uint64_t> time_;         // ticks
    std::vector<int> level_;                  // steps are dt/2^level
    std::vector<std::uint32_t> due_;
};

}  // namespace orrery
