// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "core/integrators/integrators.hpp"
#include "core/simulation/force_evaluation.hpp"

namespace orrery {

/// Time and step count of a simulation.
struct StepClock {
    double time = 0;
    double dt = 0;              ///< of the current or last step; negative: backward
    std::int64_t steps = 0;     ///< steps forward minus steps backward
    std::uint64_t moment = 0;   ///< steps in either direction: orders snapshots
    std::uint64_t motions = 0;  ///< changes whenever the bodies may have moved
    std::size_t stage = 0;      ///< index of the integrator's next stage; 0: between two steps
    bool reversed = false;      ///< direction of the next step

    void count(std::uint64_t taken);
};

/// True if a step starts with the accelerations of the previous one.
inline bool starts_with_forces(std::span<const Stage> stages) {
    return stages.front().op == Stage::Op::kKick || stages.front().op == Stage::Op::kBegin;
}

/// Queues whole steps on a device, many before the host waits, and finds bodies whose state is no longer finite.
class StepQueue {
public:
    struct Lost {
        std::size_t body;
        std::int64_t step;  ///< last step before its state was found not finite
        double time;
    };
    struct Steps {
        std::uint64_t count;
        std::span<const Stage> stages;  ///< of each step: kicks, drifts and evaluations
        ForceTask forces;
    };

    /// Number of steps within `budget` seconds, at most `most`; 0: take steps in slices, because the time per step is
    /// unknown or too long.
    std::uint64_t fitting(double budget, std::uint64_t most) const;
    /// Takes steps of clock.dt and waits. Returns their number; fewer than requested if a body was lost and the engine
    /// therefore failed.
    std::uint64_t take(const Steps& steps, ForceEvaluation& forces, StepClock& clock);
    void set_step_seconds(double seconds) { step_seconds_ = seconds; }  ///< per step; 0: unknown
    void restart() { step_seconds_ = 0, queued_ = 1; }                  ///< for another engine

    /// Enqueues checks with the following moves, without waiting.
    void begin_checks(BodySystem& system, const StepClock& clock);
    void drop_checks() { check_state_ = Check::kNone; }  ///< call when the state changes in another way
    bool knows_lost() const { return check_state_ == Check::kDone; }
    std::optional<Lost> lost(BodySystem& system, const StepClock& clock);

private:
    void enqueue(const Steps& steps, ForceEvaluation& forces, StepClock& clock);

    double step_seconds_ = 0;   // per whole step of this engine and integrator; 0: unknown
    std::uint64_t queued_ = 1;  // length of the last queue in steps
    enum class Check {
        kNone,
        kQueued,
        kDone
    } check_state_ = Check::kNone;  // whether lost_ describes the current state
    std::optional<Lost> lost_;
    std::int64_t checked_from_ = 0;  // where the checked steps began
    double checked_time_ = 0;
};

}  // namespace orrery
