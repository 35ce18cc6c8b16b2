// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/physics/block_steps.hpp"

namespace orrery {

/// Kick-drift-kick over an interval with block time steps (Quinn et al. 1997, astro-ph/9710043; Springel 2005, MNRAS
/// 364, 1105, §4): a body is kicked by half its step at the beginning and at the end of the step, and all bodies drift
/// from one time at which some are due to the next. Device version: core/bodies/cuda/block_leapfrog.hpp.
///
/// Without a softening the next step of a body depends on its last one. It is stored in w of the velocity, which is
/// otherwise unused and part of every copy of the state, so that restored states continue with the same steps.
template <class Real>
class LeapfrogSteps {
public:
    using Vectors = std::vector<Vec4<Real>>;
    /// The state of the body system.
    struct State {
        Vectors& velocity;
        const Vectors& acceleration;
    };

    void begin(const StepRule& rule, const State& now) {
        rule_ = rule;
        now_ = 0;
        const std::size_t count = now.velocity.size();
        end_.resize(count), level_.resize(count);
        before_.resize(count);
        for (std::size_t i = 0; i < count; ++i) {
            level_[i] = static_cast<std::uint8_t>(first_leapfrog_level(rule, now.acceleration[i], now.velocity[i]));
            end_[i] = ticks_of(level_[i]);
        }
    }

    bool arrived() const { return now_ == kWholeInterval; }
    int finest() const { return level_.empty() ? 0 : *std::ranges::max_element(level_); }
    std::span<const std::uint8_t> levels() const { return level_; }
    std::span<const std::uint32_t> due() const { return due_; }

    /// Kicks the bodies whose steps begin, and drifts all to the next time at which some are due. `kick(body, dt)`,
    /// `drift(body, dt)`; `for_each(body)` calls body(i) for each body, in any order.
    template <class Kick, class Drift, class ForEach>
    void predict(const State& now, const Kick& kick, const Drift& drift, const ForEach& for_each) {
        const std::uint64_t from = now_;
        now_ = *std::ranges::min_element(end_);
        due_.clear();
        for (std::uint32_t i = 0; i < end_.size(); ++i)
            if (end_[i] == now_) due_.push_back(i);
        const double away = length_of(now_ - from, rule_.dt);
        for_each([&](std::size_t i) {
            if (end_[i] - ticks_of(level_[i]) == from) {
                before_[i] = now.acceleration[i];
                kick(i, 0.5 * step(i));
            }
            drift(i, away);
        });
    }

    /// Completes the steps of the due bodies, with the accelerations at their positions.
    template <class Kick>
    void correct(const State& now, const Kick& kick) {
        for (const std::uint32_t i : due_) {
            const double h = step(i);
            kick(i, 0.5 * h);
            const double wanted = next_leapfrog(rule_, h, before_[i], now.acceleration[i], now.velocity[i]);
            level_[i] = static_cast<std::uint8_t>(next_level(level_[i], level_of(wanted, rule_.dt), now_));
            end_[i] = now_ + ticks_of(level_[i]);
        }
    }

private:
    double step(std::size_t i) const { return length_of(ticks_of(level_[i]), rule_.dt); }

    StepRule rule_{};
    std::uint64_t now_ = kWholeInterval;  // ticks since the beginning
    std::vector<std::uint64_t> end_;      // end of each body's step
    std::vector<std::uint8_t> level_;     // steps are dt/2^level
    Vectors before_;                      // accelerations at the beginning of each step
    std::vector<std::uint32_t> due_;
};

}  // namespace orrery
