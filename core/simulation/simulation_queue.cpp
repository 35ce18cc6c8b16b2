// SPDX-License-Identifier: MIT
// Whole steps queued on a device, many before the host waits.
#include <fmt/format.h>

#include <algorithm>

#include "core/base/error.hpp"
#include "core/simulation/simulation.hpp"

namespace orrery {
namespace {

using Clock = std::chrono::steady_clock;

constexpr double kPatience = 1.5;     // a step that takes up to this multiple of the budget is still taken whole
constexpr std::uint64_t kGrowth = 8;  // per queue: short queues are a poor measure of the time per step
constexpr std::uint64_t kLongest = 1u << 20;  // steps, regardless of the budget

/// A step as evaluations and the moves around them.
struct StepParts {
    std::vector<Move> before;         ///< the first evaluation
    MoveCycle after;                  ///< each evaluation
    std::vector<std::size_t> stages;  ///< index of each evaluation
};

StepParts parts_of(std::span<const Stage> stages, double dt) {
    StepParts parts;
    for (std::size_t i = 0; i < stages.size(); ++i) {
        if (stages[i].op == Stage::Op::kForce) {
            parts.after.emplace_back();
            parts.stages.push_back(i);
            continue;
        }
        const Move::Op op = stages[i].op == Stage::Op::kKick ? Move::Op::kKick : Move::Op::kDrift;
        (parts.after.empty() ? parts.before : parts.after.back()).push_back({op, stages[i].fraction * dt});
    }
    parts.after.back().push_back({Move::Op::kStepEnd});
    return parts;
}

}  // namespace

std::uint64_t Simulation::advance(std::chrono::duration<double> budget, std::uint64_t most) {
    const std::uint64_t steps = steps_to_queue(budget.count(), most);
    return steps > 0 ? queue_steps(steps) : advance_slice(budget) ? 1 : 0;
}

std::uint64_t Simulation::take_steps(std::chrono::duration<double> budget, std::uint64_t most) {
    const std::uint64_t steps = steps_to_queue(budget.count(), most);
    std::uint64_t taken = steps > 0 ? queue_steps(steps) : 0;
    while (taken == 0 && !(knows_lost() && lost_)) taken = advance(std::chrono::hours{1}, 1);
    if (const auto gone = lost())
        environment_error(
            fmt::format("{}: body {} is no longer finite after step {} (time {:g}); a smaller dt or a larger "
                        "softening may help",
                        scene_.id, gone->body, gone->step, gone->time));
    return taken;
}

/// 0: take steps in slices, because the time per step is unknown or too long.
std::uint64_t Simulation::steps_to_queue(double budget, std::uint64_t most) const {
    if (!system_->step_queue() || !wanted_integrator_->splits() || scene_.adaptive > 0) return 0;
    if (scene_.encounters.on() || !pinned_.empty()) return 0;  // each step must be processed individually
    if (stage_ != 0 || items_ != 0 || step_seconds_ <= 0 || step_seconds_ > kPatience * budget) return 0;
    if (system_->accuracy_to_keep() > 0) {  // steps that measure are taken in slices
        if (keeper_.due(*system_, moment_)) return 0;
        most = std::min(most, keeper_.kept().next - moment_);
    }
    const double fit = std::min(budget / step_seconds_, static_cast<double>(kLongest));
    return std::min({std::max<std::uint64_t>(1, static_cast<std::uint64_t>(fit)), kGrowth * queued_, most});
}

/// Returns the number of steps taken; fewer than requested if a body was lost and the engine therefore failed.
std::uint64_t Simulation::queue_steps(std::uint64_t steps) {
    const auto start = Clock::now();
    const std::uint64_t before = moment_;
    begin_step();
    begin_checks();
    try {
        queue(steps);
        lost();  // waits
    } catch (const Error&) {
        if (!lost()) throw;
        return moment_ - before;
    }
    last_force_seconds_ = system_->clock().seconds();
    step_seconds_ = std::chrono::duration<double>(Clock::now() - start).count() / static_cast<double>(steps);
    queued_ = steps;
    return steps;
}

/// Bitwise identical to slices: makes the same calls in the same order, but without waiting.
void Simulation::queue(std::uint64_t steps) {
    if (begins_with_forces() && !forces_fresh_) queue_forces();
    const StepParts parts = parts_of(integrator_->stages, step_dt_);
    MoveCycle cycle = parts.after;  // includes the start of the next step, so that each body is moved in a single pass
    cycle.back().insert(cycle.back().end(), parts.before.begin(), parts.before.end());
    const auto one_more = [&](const MoveCycle& moves, bool timed) {
        for (std::size_t i = 0; i < moves.size(); ++i) {
            stage_ = parts.stages[i];  // state of the step if the engine throws
            if (timed && i == 0) system_->clock().start();
            queue_forces();
            if (timed && i == 0) system_->clock().hold();
            system_->move(moves[i]);
        }
        count_steps(1);
    };
    system_->move(parts.before);
    for (std::uint64_t done = 0; done < steps; ++done) {
        if (done == 1) {  // replay the cycle of the first step for all but the last
            const std::uint64_t played = system_->step_queue()->repeat(cycle, scene_.gravity, wanted(), steps - 2);
            body_forces_ += played * cycle.size() * system_->count();
            count_steps(played);
            done += played;
        }
        const bool last = done + 1 == steps;
        one_more(last ? parts.after : cycle,
                 last);  // time the last evaluation: the host's latency is hidden behind the queue
    }
    stage_ = 0;
    const auto drifts = [](const Move& move) { return move.op == Move::Op::kDrift; };
    forces_fresh_ = std::ranges::none_of(parts.after.back(), drifts);
}

/// Does not wait: checks of the state are queued with the moves.
void Simulation::begin_checks() {
    system_->step_queue()->begin_checks();
    check_state_ = Check::kQueued;
    checked_from_ = steps_, checked_time_ = time_;
}

std::optional<Simulation::Lost> Simulation::lost() {
    if (check_state_ == Check::kDone) return lost_;
    lost_.reset();
    if (check_state_ == Check::kNone) {
        if (const auto body = system_->first_not_finite()) lost_ = {*body, steps_, time_};
    } else if (const auto found = system_->step_queue()->first_lost()) {
        lost_ = {found->body, checked_from_, checked_time_};
        for (std::uint64_t i = 0; i <= found->ends; ++i) lost_->step += step_dt_ < 0 ? -1 : 1, lost_->time += step_dt_;
    }
    check_state_ = Check::kDone;
    return lost_;
}

void Simulation::count_steps(std::uint64_t steps) {
    const auto taken = static_cast<std::int64_t>(steps);
    steps_ += step_dt_ < 0 ? -taken : taken;
    moment_ += steps;
    for (std::uint64_t i = 0; i < steps; ++i) time_ += step_dt_;
}

/// Queues one complete evaluation.
void Simulation::queue_forces() {
    evaluated_.reset();
    forces_fresh_ = false;
    system_->run_forces(0, begin_forces(false));
    forces_fresh_ = color_forces_ = true;
    evaluated_ = scene_.gravity;
}

}  // namespace orrery
