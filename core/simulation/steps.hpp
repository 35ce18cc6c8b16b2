// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "core/bodies/bodies.hpp"
#include "core/bodies/body_metadata.hpp"
#include "core/bodies/body_system.hpp"
#include "core/encounters/encounters.hpp"
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

struct Snapshot;

/// Contacts of bodies, resolved after each whole step, and all properties of the bodies that only encounters change:
/// labels, relative masses, radii and pins.
class EncounterStep {
public:
    const EncounterLog& log() const { return log_; }
    /// Current names, species and ids if encounters may have changed them; null: those of the scene.
    const std::shared_ptr<const Bodies>& labels() const { return labels_; }
    /// Incremented whenever the set of bodies, and therefore indices, changed.
    std::uint64_t bodies_serial() const { return bodies_serial_; }
    const BodyMetadata& metadata() const { return *metadata_; }
    bool pins() const { return !pinned_.empty(); }  ///< some bodies have fixed positions
    void fill(Frame& frame) const;                  ///< masses, radii and metadata

    /// Derives metadata, masses, radii and pins. `mass(i)` returns the masses in ascending order of i.
    template <class Mass>
    void describe(const Scene& scene, const Bodies& labels, std::size_t count, const Mass& mass) {
        const TotalMass all = sum_of_masses(count, mass);
        masses_ = relative_masses(count, all, mass);
        metadata_ = std::make_shared<const BodyMetadata>(metadata_of(scene, labels, count, all.sum, metadata_.get()));
        measure_radii(scene.encounters, labels, count, mass);
        find_pinned(labels);
    }
    /// Part of describe(), for another rule. Null if bodies are points.
    template <class Mass>
    void measure_radii(const EncounterRule& rule, const Bodies& labels, std::size_t count, Mass mass) {
        radii_.reset();
        if (rule.density == 0 && rule.radius == 0) return;
        auto radii = std::make_shared<std::vector<float>>(count);
        for (std::size_t i = 0; i < count; ++i)
            (*radii)[i] = static_cast<float>(radius_of(rule, mass(i), is_marked(labels, i)));
        radii_ = std::move(radii);
    }

    /// At the start of a step: stores positions for the search for contacts, unless `rule` is off or the step runs
    /// backward, and the states of pinned bodies.
    void begin(const BodySystem& system, const EncounterRule& rule, const StepClock& clock);
    /// At the end of a step: restores pinned bodies.
    void restore_pinned(BodySystem& system) const;
    /// Resolves the contacts of the step that has ended, see meet(); null if a body is not finite.
    std::optional<MeetingOutcome> resolve(const Scene& scene, const EngineConfig& engine, const StepClock& clock,
                                          Bodies& bodies, EncounterLedger& ledger);
    void append(const std::vector<Encounter>& encounters);  ///< to the log
    /// Stores the positions at the end of this step as those at the start of the next.
    void set_positions(std::vector<Vec4d> positions, const StepClock& clock) {
        sweep_ = {std::move(positions), clock.moment, true};
    }
    void drop_positions() { sweep_.known = false; }  ///< call when bodies move in another way

    /// Returns the labels to adopt for a snapshot; null if they are the present ones.
    std::shared_ptr<const Bodies> other_labels(const Snapshot& snapshot) const;
    void set_initial_labels(std::shared_ptr<const Bodies> labels) { initial_labels_ = std::move(labels); }
    void set_labels(std::shared_ptr<const Bodies> labels) { labels_ = std::move(labels); }
    void count_change() { ++bodies_serial_; }
    void restore(const EncounterLedger& ledger);  ///< of a snapshot
    /// State before the first step of a continued scene; describe() must follow.
    void reset(const EncounterLedger& ledger);

private:
    void find_pinned(const Bodies& labels);

    /// Positions at the start of the step.
    struct Sweep {
        std::vector<Vec4d> positions;
        std::uint64_t moment = 0;
        bool known = false;
    };

    EncounterLog log_;
    Sweep sweep_;
    std::unique_ptr<Pool> pool_;                             // only with encounters
    std::shared_ptr<const Bodies> labels_, initial_labels_;  // only with encounters
    std::uint64_t bodies_serial_ = 0;
    std::vector<std::uint32_t> pinned_;                         // bodies with fixed positions
    std::vector<BodySample> held_;                              // their states during a step
    std::shared_ptr<const std::vector<float>> masses_, radii_;  // as in Frame
    std::shared_ptr<const BodyMetadata> metadata_;              // as in Frame
};

/// Applies an outcome, with the changed `bodies` of resolve(), to the snapshot of the end of the step; drops removed
/// bodies from their positions.
void apply(const MeetingOutcome& outcome, Bodies& bodies, Snapshot& snapshot);

}  // namespace orrery
