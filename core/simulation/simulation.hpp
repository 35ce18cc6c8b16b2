// SPDX-License-Identifier: MIT
#pragma once
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/bodies/bodies.hpp"
#include "core/bodies/body_state.hpp"
#include "core/bodies/body_system.hpp"
#include "core/encounters/encounters.hpp"
#include "core/integrators/integrators.hpp"
#include "core/simulation/engine_tuning.hpp"
#include "core/simulation/force_evaluation.hpp"
#include "core/simulation/steps.hpp"

namespace orrery {

class BodySource;
struct Edit;

/// A state between two steps, and the conditions under which its accelerations were computed.
struct Snapshot {
    BodyState bodies;
    std::int64_t steps = 0;
    std::uint64_t moment = 0;
    double time = 0;
    bool forces_fresh = false;
    std::optional<Gravity> evaluated;  ///< set if the accelerations come from a complete evaluation: its gravity
    std::uint64_t history_key = 0;     ///< see HistoryPower::history_key()
    KeptAccuracy accuracy;
    EngineConfig engine;
    std::optional<EngineConfig> used = {};  ///< the engine chosen by measurement, see Simulation::used_engine()
    Gravity gravity;
    EncounterLedger encounters;
    /// Names, species and ids of these bodies, if encounters may change them; null: those of the start.
    std::shared_ptr<const Bodies> labels;
};

/// Bodies, engine and integrator in lockstep: nothing moves except by a call. A step can be computed in slices; changes
/// take effect between two slices, and restart the current force evaluation.
class Simulation {
public:
    /// The complete state except for the bodies.
    struct Continuation {
        Scene settings;
        std::int64_t steps = 0;
        EncounterLedger encounters;
    };

    /// An empty `integrator_id` selects the scene's recommendation. With `ranks`, which must outlive the simulation,
    /// force evaluations are distributed: either each rank creates the same simulation and makes the same calls in the
    /// same order, or only rank 0 does, see RankLeader.
    Simulation(Scene scene, const EngineConfig& engine, std::string_view integrator_id = {}, Ranks* ranks = nullptr);
    /// The same for bodies that need not be in host memory; `settings` has none. Those not in memory are read once.
    Simulation(Scene settings, const BodySource& bodies, const EngineConfig& engine,
               std::string_view integrator_id = {}, Ranks* ranks = nullptr);
    /// `state.settings` includes the bodies.
    Simulation(Continuation state, const EngineConfig& engine, Ranks* ranks = nullptr);
    Simulation(Simulation&&) noexcept = default;
    Simulation& operator=(Simulation&&) noexcept = default;

    /// Takes one step. Throws Error naming body and step if the state is no longer finite.
    void step() { take_steps(std::chrono::hours{1}, 1); }
    /// Takes at least one and at most `most` whole steps within about `budget`; returns their number. More than one
    /// only if they can be queued on a device. Throws as step() does; the state may then be some steps further.
    std::uint64_t take_steps(std::chrono::duration<double> budget, std::uint64_t most);
    /// Works for about `budget`. Returns the number of completed steps: 0 if the budget ended within a step; 1, after
    /// which no further step is started; or at most `most` if steps can be queued.
    std::uint64_t advance(std::chrono::duration<double> budget, std::uint64_t most = 1);
    /// Works for about `budget` on the forces at the current positions, so that they are known before the next step;
    /// nothing moves. Returns whether they are complete. Not within a step.
    bool evaluate(std::chrono::duration<double> budget);

    /// Keeps bodies and time; strong exception guarantee. The present configuration keeps what measurements chose.
    void set_engine(const EngineConfig& config);
    void set_gravity(const Gravity& gravity);
    void set_dt(double dt);  ///< takes effect at the next step
    /// Runs time backward: steps of −dt from the next one on. A time-reversible integrator retraces its steps up to
    /// rounding.
    void set_reversed(bool reversed) { clock_.reversed = reversed; }
    /// Sets the integrator and η of adaptive steps (see step_limit(); dt is then the maximum; 0: off; by default
    /// unchanged): both or neither. Takes effect at the next step. Throws Error{kUsage} naming the engine if it does
    /// not support the integrator, and as require_adaptive() does.
    void set_integrator(std::string_view id, std::optional<double> adaptive = {});
    /// From the next step on, bodies that touch merge or bounce as in Scene::encounters; not while time runs backward.
    /// Not within a step. Throws Error{kUsage} with why_encounters_incompatible().
    void set_encounters(const EncounterRule& rule);
    /// The colour quantity of frames, and the line of sight and the name of the field, by default unchanged. Potentials
    /// are computed with the forces while needed, which takes some time and may change the rounding of accelerations.
    void set_color_by(ColorBy by, std::optional<Vec3d> sight_line = {}, std::optional<std::string> field = {});
    /// Replaces the fields of the bodies; each has one value per body.
    void set_fields(std::vector<BodyField> fields);
    /// The same for fields that change as bodies move, such as a filter, without the end of a trial of engines.
    void show_fields(std::vector<BodyField> fields);
    /// The colours of ColorBy::kError; they belong to forces of the same bodies. See complete_colors().
    void set_body_errors(std::shared_ptr<const BodyErrors> errors);

    /// The requested configuration.
    const EngineConfig& engine_config() const { return engine_config_; }
    /// The configuration in force. It differs from engine_config() where that leaves engine or order open and
    /// measurements have chosen, see EngineTuning; it states the choice, so that a run with it makes none.
    const EngineConfig& used_engine() const { return tuning_.used() ? *tuning_.used() : engine_config_; }
    /// Measured choices and parameters of the engine, for display.
    std::string engine_choice() const;
    /// False: engine and order stay as they are. True, the default: they are measured between steps if
    /// tunable(engine_config()).
    void allow_tuning(bool allowed);
    bool tunes() const { return tuning_.allowed(); }
    /// Measures now, however long it takes; otherwise the steps do so within a share of their time. Not within a step.
    void choose_engine();
    /// The present settings, without bodies. Its time is the initial one.
    const Scene& scene() const { return scene_; }
    const StepClock& now() const { return clock_; }
    /// True between the stages of a step: positions and velocities belong to different times.
    bool within_step() const { return clock_.stage != 0; }
    const ForceEvaluation& forces() const { return forces_; }
    const EncounterStep& encounters() const { return encounters_; }
    /// `system().shared_from_this()` remains valid after the engine changes or the simulation is destroyed; for users
    /// of columns().
    BodySystem& system() { return *system_; }
    const BodySystem& system() const { return *system_; }
    /// The first body whose state is no longer finite, if any. Waits, or checks all bodies, if necessary.
    std::optional<StepQueue::Lost> lost() { return queue_.lost(*system_, clock_); }
    bool knows_lost() const { return queue_.knows_lost(); }  ///< lost() returns at once
    /// Fills `frame` with the current state. `may_reuse` as in Coloring.
    void fill(Frame& frame, bool may_reuse = false) const;

    /// The current state, by default with the present bodies. Not within a step.
    Snapshot snapshot(std::optional<BodyState> bodies = {}) const;
    /// Restores the state, bit for bit if the precision is the same, and abandons the current step. Engine, gravity and
    /// dt are not changed; if they equal those of the snapshot, the following steps are bitwise identical, unless an
    /// evaluation was in progress between two steps when the snapshot was taken.
    void restore(const Snapshot& snapshot);
    /// Replaces the state by interpolated bodies (of the same number) at `time`, and counts `by` steps. Abandons the
    /// current step; the next evaluation does not depend on earlier ones.
    void show(const Interpolation& way, double time, std::int64_t by);
    /// Restores the bodies of `from`, if any, applies the changes in place (fast if few bodies change), and continues
    /// bitwise like a new simulation with these bodies. `given`: the last change is a user's edit, not undo or redo.
    /// Returns false, without changes, if that needs a new simulation. Throws as the constructor does, leaving
    /// everything unchanged.
    bool edit(const BodyBackup* from, std::span<const BodyChange> changes, bool given,
              const Continuation& continuation);

private:
    void begin_step();
    bool advance_slice(std::chrono::duration<double> budget);
    template <class Left>
    bool run_stage(const Stage& stage, std::vector<Move>& moves, const Left& left);
    void move(std::vector<Move>& moves);
    void predict();
    bool force_stage(std::chrono::duration<double> budget);
    void end_step(std::vector<Move>& moves);
    std::uint64_t steps_to_queue(double budget, std::uint64_t most) const;
    std::uint64_t queue_steps(std::uint64_t steps);
    bool tune(std::chrono::duration<double> budget, bool at_once = false);
    void end_trial();
    void describe();
    const BodyField* colored_field() const;  ///< null: it is not loaded
    void use_engine(const EngineConfig& config);
    ForceTask task(std::size_t due = 0) { return {*system_, scene_.gravity, integrator_->jerk, due}; }
    void adopt_integrator();
    void abandon_step();
    void resolve_encounters();
    void require_ids();
    void adopt_labels(std::shared_ptr<const Bodies> labels, const BodyState& state);
    void continue_from(const Continuation& continuation, const BodyChange* given);

    Scene scene_;
    EngineConfig engine_config_;
    const IntegratorEntry* integrator_;  // for the current step; that of scene_ from the next step on
    std::shared_ptr<BodySystem> system_;
    StepClock clock_;
    std::size_t due_ = 0;   // bodies in the current evaluation, within a step
    bool arrived_ = false;  // all bodies are at the end of the step
    ForceEvaluation forces_;
    EncounterStep encounters_;
    StepQueue queue_;
    EngineTuning tuning_;
};

/// Evaluates the forces that the colours of the next frame need, and measures the errors that they show, however long
/// that takes. Not within a step.
void complete_colors(Simulation& simulation);
/// The present settings and time, without bodies.
Scene present_settings(const Simulation& simulation);
/// The current state as a scene: bodies, time, gravity, step and integrator. Not within a step.
Scene present_scene(const Simulation& simulation);
/// The change that the edit makes to the present bodies. Throws as edited(). Not within a step.
BodyChange change_of(const Edit& edit, const Simulation& simulation);
/// The present bodies; reuses the memory of `old` if it fits.
BodyBackup backup_of(Simulation& simulation, BodyBackup old = {});
/// Number of bodies with steps of dt, dt/2, dt/4 and so on; empty if all have the same step.
std::vector<std::size_t> ladder(Simulation& simulation);

}  // namespace orrery
