// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "core/physics/block_steps.hpp"

namespace orrery {

/// The Hermite scheme over an interval: one step for all bodies, or individual steps by the Aarseth criterion,
/// quantised so that many bodies are due at the same time (block time steps). Keeps no state between intervals:
/// positions and velocities at the beginning determine everything. Device version: core/bodies/cuda/hermite_steps.hpp.
template <class Real>
class HermiteSteps {
public:
    using Vectors = std::vector<Vec4<Real>>;
    /// The state of the body system: positions (w = mass), velocities, and accelerations and jerks there.
    struct State {
        Vectors &position, &velocity;
        const Vectors &acceleration, &jerk;
    };

    /// Begins an interval of `dt` (negative: backward). η 0: one step for all bodies; otherwise individual steps by the
    /// Aarseth criterion.
    void begin(double dt, double eta, const State& now) {
        dt_ = dt;
        eta_ = eta;
        now_ = 0;
        bodies_.resize(now.position.size());
        for (std::size_t i = 0; i < bodies_.size(); ++i)
            bodies_[i] = {now.position[i], now.velocity[i], now.acceleration[i], now.jerk[i]};
        time_.assign(bodies_.size(), 0);
        level_.assign(bodies_.size(), 0);
        if (eta > 0)
            for (std::size_t i = 0; i < bodies_.size(); ++i)
                level_[i] =
                    static_cast<std::uint8_t>(level_of(first_step(eta, bodies_[i].acceleration, bodies_[i].jerk), dt));
    }

    bool arrived() const { return now_ == kWholeInterval; }

    /// Predicts all bodies to the next time at which some are due; due() returns these. `for_each(body)` calls body(i)
    /// for each body, in any order.
    template <class ForEach>
    void predict(const State& now, const ForEach& for_each) {
        now_ = kWholeInterval;
        for (std::size_t i = 0; i < time_.size(); ++i) now_ = std::min(now_, time_[i] + ticks_of(level_[i]));
        due_.clear();
        for (std::uint32_t i = 0; i < time_.size(); ++i)
            if (time_[i] + ticks_of(level_[i]) == now_) due_.push_back(i);
        for_each([&](std::size_t i) {
            const HermiteBody<Real> there = predicted(bodies_[i], static_cast<Real>(length_of(now_ - time_[i], dt_)));
            now.position[i] = there.position, now.velocity[i] = there.velocity;
        });
    }

    /// Completes the steps of the due bodies, using accelerations and jerks at their predicted positions.
    void correct(const State& now) {
        for (const std::uint32_t i : due_) {
            const double h = length_of(now_ - time_[i], dt_);
            const HermiteBody<Real> before = bodies_[i];
            bodies_[i] = corrected(before, static_cast<Real>(h), now.acceleration[i], now.jerk[i]);
            now.position[i] = bodies_[i].position, now.velocity[i] = bodies_[i].velocity;
            time_[i] = now_;
            if (eta_ > 0)
                level_[i] = static_cast<std::uint8_t>(
                    next_level(level_[i], level_of(next_step(eta_, h, before, bodies_[i]), dt_), now_));
        }
    }

    std::span<const std::uint32_t> due() const { return due_; }
    std::span<const std::uint8_t> levels() const { return level_; }

private:
    double dt_ = 0, eta_ = 0;
    std::uint64_t now_ = kWholeInterval;     // ticks since the beginning
    std::vector<HermiteBody<Real>> bodies_;  // each body at its own time
    std::vector<std::uint64_t> time_;        // ticks
    std::vector<std::uint8_t> level_;        // steps are dt/2^level
    std::vector<std::uint32_t> due_;
};

}  // namespace orrery
