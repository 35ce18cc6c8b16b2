// SPDX-License-Identifier: MIT
#pragma once
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "core/bodies/body_system.hpp"
#include "core/bodies/error_sample.hpp"
#include "core/engines/acceptance.hpp"

namespace orrery {

class Ranks;

/// State of accuracy control that later steps depend on; part of Snapshot.
struct KeptAccuracy {
    Acceptance acceptance;
    std::uint64_t next = 0;  ///< moment of the next step that measures, see Simulation::moment()
    std::uint64_t gap = 1;   ///< steps between the last measurement and the next
    friend bool operator==(const KeptAccuracy&, const KeptAccuracy&) = default;
};

/// Measures the force error of an approximating engine at fixed steps, and scales the engine's acceptance criterion so
/// that the error stays at the requested accuracy. Measures in every step until it does, then less and less often,
/// finally once in kRarely steps per round of the sample. Nothing depends on wall-clock times, so all ranks do the
/// same.
class AccuracyKeeper {
public:
    static constexpr std::uint64_t kRarely = 64;

    void restart(std::uint64_t moment) { kept_ = {.acceptance = {}, .next = moment}; }  ///< for another engine
    void measure_soon(std::uint64_t moment) { kept_.next = moment, kept_.gap = 1; }     ///< for another force law
    /// Applies `kept`, measured with the same engine configuration.
    void restore(const KeptAccuracy& kept, BodySystem& system);

    /// True if the step that begins at this moment must measure.
    bool due(const BodySystem& system, std::uint64_t moment) const {
        return moment >= kept_.next && system.accuracy_to_keep() > 0;
    }
    bool under_way() const { return under_way_; }
    void abandon() { under_way_ = false; }
    /// Call between a complete evaluation and the next, while the bodies are as evaluated. Works for about `budget`;
    /// returns true once the error is measured and the criterion scaled. `ranks`: ranks that take the same steps, or
    /// null.
    bool work(BodySystem& system, const Gravity& gravity, std::uint64_t moment, std::chrono::duration<double> budget,
              Ranks* ranks);

    const KeptAccuracy& kept() const { return kept_; }

private:
    KeptAccuracy kept_;
    ErrorSample sample_;
    bool under_way_ = false;
};

/// Same for bodies at rest: evaluates and rescales until the error is as requested, at most ten times.
Acceptance settle_accuracy(BodySystem& system, const Gravity& gravity, Ranks* ranks = nullptr);

/// One line for users: "7.6e-04 measured, 0.001 requested, criterion × 1.28"; or the reason for missing it: "3.8e-07
/// measured, 1e-07 requested: single precision gives no more here, double does".
std::string accuracy_text(const Acceptance& acceptance, const EngineConfig& engine, double asked);
/// A sentence with the error and a remedy if the last measurement exceeds the accuracy; otherwise empty.
std::string accuracy_missed(const Acceptance& acceptance, const EngineConfig& engine, double asked);

/// Colours of frames.
struct FrameColor {
    ColorBy by = ColorBy::kSpeed;
    Vec3d along{0, 0, 1};                           ///< unit vector away from the eye, for the line-of-sight velocity
    std::shared_ptr<const BodyErrors> errors = {};  ///< for ColorBy::kError
    std::string field = {};                         ///< for ColorBy::kField; empty: the first
};

/// Bodies and the force on them.
struct ForceTask {
    BodySystem& system;
    const Gravity& gravity;
    bool jerk = false;    ///< computes jerks too
    std::size_t due = 0;  ///< number of due bodies within a step; 0: all bodies
};

/// Evaluates the forces of a simulation in slices, and measures their error. Records which state the accelerations in
/// the body system belong to.
class ForceEvaluation {
public:
    explicit ForceEvaluation(Ranks* ranks) : ranks_{ranks} {}

    /// Accelerations belong to the current positions and engine.
    bool fresh() const { return fresh_; }
    /// The gravity of the complete evaluation that gave the accelerations; empty if there was none.
    const std::optional<Gravity>& evaluated() const { return evaluated_; }
    bool under_way() const { return items_ != 0; }
    double progress() const;  ///< 0 … 1, of the current evaluation
    /// Duration of the last complete evaluation, excluding idle time.
    double last_seconds() const { return last_seconds_; }
    /// Accelerations computed so far: one per body and complete evaluation, fewer if only some bodies are due.
    std::uint64_t body_forces() const { return body_forces_; }
    const AccuracyKeeper& accuracy() const { return keeper_; }
    /// For engines with accuracy control, see BodySystem::accuracy_to_keep().
    const Acceptance& acceptance() const { return keeper_.kept().acceptance; }
    const FrameColor& color() const { return color_; }
    /// True if the colours need an evaluation; Simulation::evaluate() provides it without a step.
    bool color_due() const {
        return needs_forces(color_.by) && (!color_forces_ || (color_.by == ColorBy::kError && !fresh_));
    }
    Coloring coloring(bool may_reuse) const {
        return {.by = color_.by,
                .forces = color_forces_,
                .may_reuse = may_reuse,
                .along = color_.along,
                .errors = color_.errors};
    }
    Ranks* ranks() const { return ranks_; }  ///< null: one process

    /// Works for about `budget`, at least on one item; returns whether the evaluation is complete.
    bool work(const ForceTask& task, std::chrono::duration<double> budget);
    /// The same, followed by a measurement of the error if one is due at this moment.
    bool work_and_measure(const ForceTask& task, std::uint64_t moment, std::chrono::duration<double> budget);
    /// Runs a complete evaluation, without waiting on a device.
    void enqueue(const ForceTask& task);
    /// Repeats evaluations and moves on a device, see QueuePower::repeat().
    std::uint64_t repeat(const ForceTask& task, const MoveCycle& moves, std::uint64_t times);
    /// Adopts the duration measured by the system's clock.
    void read_clock(BodySystem& system) { last_seconds_ = system.clock().seconds(); }

    void set_fresh(bool fresh) { fresh_ = fresh; }
    void set_color(const FrameColor& color);
    void restart();  ///< discards the current evaluation
    void discard();  ///< discards all accelerations: the bodies have changed
    /// Another gravity or law: the error is measured soon.
    void change_gravity(std::uint64_t moment) { keeper_.measure_soon(moment); }
    /// Another body system; with `other_engine` the error must be measured again.
    void change_system(BodySystem& system, bool other_engine, std::uint64_t moment);
    /// Adopts the accelerations of a restored state.
    void restore(BodySystem& system, const std::optional<Gravity>& evaluated, bool fresh, const KeptAccuracy& accuracy);
    /// State before the first evaluation.
    void reset(BodySystem& system);

private:
    Potential potential() const { return color_.by == ColorBy::kPotential ? Potential::kCompute : Potential::kSkip; }
    std::uint64_t begin(const ForceTask& task);

    Ranks* ranks_;
    AccuracyKeeper keeper_;
    FrameColor color_;
    std::optional<Gravity> evaluated_;
    bool fresh_ = false;
    bool color_forces_ = false;                // an evaluation is complete, with potentials if needed
    std::uint64_t items_ = 0, next_item_ = 0;  // of the current evaluation; items_ 0: none
    double items_per_second_ = 0, seconds_ = 0, last_seconds_ = 0;
    std::uint64_t body_forces_ = 0;
};

}  // namespace orrery
