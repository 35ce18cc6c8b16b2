// SPDX-License-Identifier: MIT
#pragma once
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/bodies/bodies.hpp"
#include "core/bodies/body_metadata.hpp"
#include "core/bodies/body_system.hpp"
#include "core/encounters/encounter.hpp"
#include "core/integrators/integrators.hpp"
#include "core/simulation/snapshot.hpp"

namespace orrery {

class Pool;
struct Edit;

/// Bodies, engine and integrator in lockstep: nothing moves except by a call. A step can be computed in slices; changes
/// take effect between two slices, and restart the current force evaluation.
class Simulation {
public:
    /// An empty `integrator_id` selects the scene's recommendation. With `ranks`, which must outlive the simulation,
    /// force evaluations are distributed: either each rank creates the same simulation and makes the same calls in the
    /// same order, or only rank 0 does, see RankLeader.
    Simulation(Scene scene, const EngineConfig& engine, std::string_view integrator_id = {}, Ranks* ranks = nullptr);
    Simulation(Simulation&&) noexcept;
    Simulation& operator=(Simulation&&) noexcept;
    ~Simulation();

    /// Takes one step. Throws Error naming body and step if the state is no longer finite.
    void step() { take_steps(std::chrono::hours{1}, 1); }
    /// Takes at least one and at most `most` whole steps within about `budget`; returns their number. More than one
    /// only if they can be queued on a device. Throws as step() does; the state may then be some steps further.
    std::uint64_t take_steps(std::chrono::duration<double> budget, std::uint64_t most);
    /// Works for about `budget`. Returns the number of completed steps: 0 if the budget ended within a step; 1, after
    /// which no further step is started; or at most `most` if steps can be queued.
    std::uint64_t advance(std::chrono::duration<double> budget, std::uint64_t most);
    bool advance(std::chrono::duration<double> budget) { return advance(budget, 1) == 1; }
    /// Works for about `budget` on the forces at the current positions, so that they are known before the next step;
    /// nothing moves. Returns whether they are complete. Not within a step.
    bool evaluate(std::chrono::duration<double> budget);

    void set_engine(const EngineConfig& config);  ///< keeps bodies and time; strong exception guarantee
    void set_gravity(const Gravity& gravity);
    void set_dt(double dt);  ///< takes effect at the next step
    /// Runs time backward: steps of −dt from the next one on. A time-reversible integrator retraces its steps up to
    /// rounding.
    void set_reversed(bool reversed) { reversed_ = reversed; }
    /// Takes effect at the next step. Throws Error{kUsage} naming the engine if it does not support the integrator.
    void set_integrator(std::string_view id);
    void set_integrator(std::string_view id, double adaptive);  ///< both or neither
    /// Sets η of adaptive steps (see step_limit(); dt is then the maximum), or 0. Takes effect at the next step. Throws
    /// as require_adaptive() does.
    void set_adaptive(double eta);

    /// From the next step on, bodies that touch merge or bounce as in Scene::encounters; not while time runs backward.
    /// Not within a step. Throws Error{kUsage} with why_encounters_incompatible().
    void set_encounters(const EncounterRule& rule);
    const EncounterRule& encounter_rule() const { return scene_.encounters; }
    const EncounterLog& encounters() const { return met_; }
    /// For a continued scene, before its first step.
    void restore_ledger(const EncounterLedger& ledger) { met_ = {ledger, {}}; }
    /// Incremented whenever the set of bodies, and therefore indices, changed.
    std::uint64_t bodies_serial() const { return bodies_serial_; }

    const EngineConfig& engine_config() const { return engine_config_; }
    /// Its bodies are the initial ones; none after edit().
    const Scene& scene() const { return scene_; }
    /// The current state as a scene: bodies, time, gravity, step and integrator. Not within a step.
    Scene present() const;
    Scene settings() const;                                  ///< the same without bodies
    void count_from(std::int64_t steps) { steps_ = steps; }  ///< for a continued scene, before its first step
    const Gravity& gravity() const { return scene_.gravity; }
    double dt() const { return scene_.dt; }
    double step_dt() const { return step_dt_; }  ///< of the current or last step
    double time() const { return time_; }
    bool reversed() const { return reversed_; }
    std::int64_t steps() const { return steps_; }     ///< steps forward minus steps backward
    std::uint64_t moment() const { return moment_; }  ///< steps in either direction: orders snapshots
    /// Changes whenever bodies of this system() may have moved.
    std::uint64_t motions() const { return motions_; }
    struct Lost {
        std::size_t body;
        std::int64_t step;  ///< last step before its state was found not finite
        double time;
    };
    /// The first body whose state is no longer finite, if any. Waits, or checks all bodies, if necessary.
    std::optional<Lost> lost();
    bool knows_lost() const { return check_state_ == Check::kDone; }  ///< lost() returns at once
    Ranks* ranks() const { return ranks_; }                           ///< null: one process
    BodySystem& system() { return *system_; }
    const BodySystem& system() const { return *system_; }
    /// Shared ownership: remains valid after the engine changes or the simulation is destroyed; for users of columns().
    std::shared_ptr<const BodySystem> shared_system() const { return system_; }
    const IntegratorEntry& integrator_entry() const { return *wanted_integrator_; }
    double adaptive() const { return scene_.adaptive; }
    double mean_mass() const { return words_->mean_mass; }  ///< per body
    /// Current names, species and ids if encounters may have changed them; null: those of scene().
    std::shared_ptr<const Bodies> labels() const { return labels_; }

    /// Accelerations computed so far: one per body and complete evaluation, fewer if only some bodies are due.
    std::uint64_t body_forces() const { return body_forces_; }
    /// Number of bodies with steps of dt, dt/2, dt/4 and so on; empty if all have the same step.
    std::vector<std::size_t> ladder();
    double force_progress() const;  ///< 0 … 1, of the current evaluation
    double last_force_seconds() const {
        return last_force_seconds_;
    }                                                    ///< of the last complete evaluation, excluding idle time
    bool forces_fresh() const { return forces_fresh_; }  ///< accelerations belong to the current positions and engine
    /// For engines with accuracy control, see BodySystem::accuracy_to_keep().
    const Acceptance& acceptance() const { return keeper_.kept().acceptance; }
    /// True between the stages of a step: positions and velocities belong to different times.
    bool within_step() const { return stage_ != 0; }
    /// The colour quantity of frames. Potentials are computed with the forces while needed, which takes some time and
    /// may change the rounding of accelerations.
    void set_color_by(ColorBy by);
    ColorBy color_by() const { return color_by_; }
    /// Unit vector away from the eye, for colouring by line-of-sight velocity.
    void set_sight_line(Vec3d along) { sight_line_ = along; }
    Vec3d sight_line() const { return sight_line_; }
    /// True if the colours need an evaluation; evaluate() provides it without a step.
    bool color_due() const { return needs_forces(color_by_) && !color_forces_; }
    /// Fills `frame` with the current state. `may_reuse` as in Coloring.
    void fill(Frame& frame, bool may_reuse = false);

    Snapshot snapshot() const { return snapshot_with(system_->save()); }  ///< not within a step
    Snapshot snapshot_with(BodyState bodies) const;  ///< of the current state with `bodies` from elsewhere
    /// Restores the state, bit for bit if the precision is the same, and abandons the current step. Engine, gravity and
    /// dt are not changed; if they equal those of the snapshot, the following steps are bitwise identical, unless an
    /// evaluation was in progress between two steps when the snapshot was taken.
    void restore(const Snapshot& snapshot);
    /// Replaces the state by interpolated bodies (of the same number) at `time`, and counts `by` steps. Abandons the
    /// current step; the next evaluation does not depend on earlier ones.
    void show(const Interpolation& way, double time, std::int64_t by);

    // simulation_edit.cpp
    /// The complete state except for the bodies.
    struct Continuation {
        Scene settings;
        std::int64_t steps = 0;
        EncounterLedger encounters;
    };
    /// The change that the edit makes to the present bodies. Throws as edited(). Not within a step.
    BodyChange change_of(const Edit& edit) const;
    BodyBackup backup(BodyBackup old) const;  ///< the present bodies; reuses the memory of `old` if it fits
    /// Restores the bodies of `from`, if any, applies the changes in place (fast if few bodies change), and continues
    /// bitwise like a new simulation with these bodies. `given`: the last change is a user's edit, not undo or redo.
    /// Returns false, without changes, if that needs a new simulation. Throws as the constructor does, leaving
    /// everything unchanged.
    bool edit(const BodyBackup* from, std::span<const BodyChange> changes, bool given,
              const Continuation& continuation);

private:
    void continue_from(const Continuation& continuation, const BodyChange* given);
    void adopt_integrator();
    void begin_step();
    // simulation_encounters.cpp
    void begin_sweep();
    void find_pinned();
    void save_pinned();
    void restore_pinned();
    void resolve_encounters();
    void adopt_labels(std::shared_ptr<const Bodies> labels, const BodyState& state);
    void require_ids();
    void measure_radii(const Bodies& labels, std::size_t count, const std::function<double(std::size_t)>& mass);
    bool advance_slice(std::chrono::duration<double> budget);
    void move(std::vector<Move>& moves);
    // simulation_queue.cpp
    std::uint64_t steps_to_queue(double budget, std::uint64_t most) const;
    std::uint64_t queue_steps(std::uint64_t steps);
    void queue(std::uint64_t steps);
    void queue_forces();
    void begin_checks();
    void count_steps(std::uint64_t steps);
    double block_eta() const;
    bool advance_forces(std::chrono::duration<double> budget, bool due = false);
    void predict();
    bool force_due(std::chrono::duration<double> budget);
    bool force_stage(std::chrono::duration<double> budget);
    std::uint64_t begin_forces(bool due);
    void restart_forces();
    void forget_history();
    void abandon_step();
    bool begins_with_forces() const;
    Potential wanted() const { return color_by_ == ColorBy::kPotential ? Potential::kCompute : Potential::kSkip; }

    /// Positions at the beginning of the step, for encounters.
    struct Sweep {
        std::vector<Vec4d> places;
        std::uint64_t moment = 0;
        bool known = false;
    };

    Ranks* ranks_ = nullptr;
    Scene scene_;
    std::shared_ptr<const std::vector<float>> masses_;  // as in Frame
    std::shared_ptr<const std::vector<float>> radii_;   // as in Frame
    std::shared_ptr<const BodyMetadata> words_;         // as in Frame
    EngineConfig engine_config_;
    const IntegratorEntry *integrator_, *wanted_integrator_;  // for the current step, and from the next step on
    std::shared_ptr<BodySystem> system_;
    double time_, step_dt_ = 0;
    std::int64_t steps_ = 0;
    std::uint64_t moment_ = 0, body_forces_ = 0, motions_ = 0;
    std::size_t due_ = 0;  // bodies in the current evaluation, within a step
    bool reversed_ = false;
    std::size_t stage_ = 0;
    bool forces_fresh_ = false;
    std::optional<Gravity> evaluated_;  // the accelerations come from a complete evaluation under this gravity
    bool arrived_ = false;              // all bodies are at the end of the step
    ColorBy color_by_ = ColorBy::kSpeed;
    Vec3d sight_line_{0, 0, 1};
    bool shown_ = false;                       // set by show() until the next evaluation
    bool color_forces_ = false;                // an evaluation is complete, with potentials if needed
    std::uint64_t items_ = 0, next_item_ = 0;  // of the current evaluation; items_ 0: none
    AccuracyKeeper keeper_;
    std::vector<std::uint32_t> pinned_;  // bodies with fixed positions
    std::vector<BodySample> held_;       // their states during a step
    EncounterLog met_;
    Sweep sweep_;
    std::unique_ptr<Pool> sweep_pool_;  // only with encounters
    /// With encounters: the current and the initial labels.
    std::shared_ptr<const Bodies> labels_, first_labels_;
    std::uint64_t bodies_serial_ = 0;
    double items_per_second_ = 0, force_seconds_ = 0, last_force_seconds_ = 0;
    double step_seconds_ = 0;   // per whole step of this engine and integrator; 0: unknown
    std::uint64_t queued_ = 1;  // length of the last queue in steps
    enum class Check {
        kNone,
        kQueued,
        kDone
    } check_state_ = Check::kNone;  // whether lost_ describes the current state
    std::optional<Lost> lost_;
    std::int64_t checked_from_ = 0;  // where that queue began
    double checked_time_ = 0;
};

}  // namespace orrery
