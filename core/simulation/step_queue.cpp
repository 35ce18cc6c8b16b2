// SPDX-License-Identifier: MIT
#include "core/simulation/step_queue.hpp"

#include <algorithm>
#include <chrono>
#include <vector>

#include "core/base/error.hpp"

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

void StepClock::count(std::uint64_t taken) {
    const auto number = static_cast<std::int64_t>(taken);
    steps += dt < 0 ? -number : number;
    moment += taken;
    for (std::uint64_t i = 0; i < taken; ++i) time += dt;
}

std::uint64_t StepQueue::fitting(double budget, std::uint64_t most) const {
    if (step_seconds_ <= 0 || step_seconds_ > kPatience * budget) return 0;
    const double fit = std::min(budget / step_seconds_, static_cast<double>(kLongest));
    return std::min({std::max<std::uint64_t>(1, static_cast<std::uint64_t>(fit)), kGrowth * queued_, most});
}

std::uint64_t StepQueue::take(const Steps& steps, ForceEvaluation& forces, StepClock& clock) {
    BodySystem& system = steps.forces.system;
    const auto start = Clock::now();
    const std::uint64_t before = clock.moment;
    begin_checks(system, clock);
    try {
        enqueue(steps, forces, clock);
        lost(system, clock);  // waits
    } catch (const Error&) {
        if (!lost(system, clock)) throw;
        return clock.moment - before;
    }
    forces.read_clock(system);
    step_seconds_ = std::chrono::duration<double>(Clock::now() - start).count() / static_cast<double>(steps.count);
    queued_ = steps.count;
    return steps.count;
}

/// Bitwise identical to slices: makes the same calls in the same order, but without waiting.
void StepQueue::enqueue(const Steps& steps, ForceEvaluation& forces, StepClock& clock) {
    const ForceTask& task = steps.forces;
    BodySystem& system = task.system;
    if (starts_with_forces(steps.stages) && !forces.fresh()) forces.enqueue(task);
    const StepParts parts = parts_of(steps.stages, clock.dt);
    MoveCycle cycle = parts.after;  // includes the start of the next step, so that each body is moved in a single pass
    cycle.back().insert(cycle.back().end(), parts.before.begin(), parts.before.end());
    const auto one_more = [&](const MoveCycle& moves, bool timed) {
        for (std::size_t i = 0; i < moves.size(); ++i) {
            clock.stage = parts.stages[i];  // state of the step if the engine throws
            if (timed && i == 0) system.clock().start();
            forces.enqueue(task);
            if (timed && i == 0) system.clock().hold();
            system.move(moves[i]);
        }
        clock.count(1);
    };
    system.move(parts.before);
    for (std::uint64_t done = 0; done < steps.count; ++done) {
        if (done == 1) {  // replay the cycle of the first step for all but the last
            const std::uint64_t played = forces.repeat(task, cycle, steps.count - 2);
            clock.count(played);
            done += played;
        }
        const bool last = done + 1 == steps.count;
        one_more(last ? parts.after : cycle,
                 last);  // time the last evaluation: the host's latency is hidden behind the queue
    }
    clock.stage = 0;
    const auto drifts = [](const Move& move) { return move.op == Move::Op::kDrift; };
    forces.set_fresh(std::ranges::none_of(parts.after.back(), drifts));
}

void StepQueue::begin_checks(BodySystem& system, const StepClock& clock) {
    system.step_queue()->begin_checks();
    check_state_ = Check::kQueued;
    checked_from_ = clock.steps, checked_time_ = clock.time;
}

std::optional<StepQueue::Lost> StepQueue::lost(BodySystem& system, const StepClock& clock) {
    if (check_state_ == Check::kDone) return lost_;
    lost_.reset();
    if (check_state_ == Check::kNone) {
        if (const auto body = system.first_not_finite()) lost_ = {*body, clock.steps, clock.time};
    } else if (const auto found = system.step_queue()->first_lost()) {
        lost_ = {found->body, checked_from_, checked_time_};
        for (std::uint64_t i = 0; i <= found->ends; ++i) lost_->step += clock.dt < 0 ? -1 : 1, lost_->time += clock.dt;
    }
    check_state_ = Check::kDone;
    return lost_;
}

}  // namespace orrery
