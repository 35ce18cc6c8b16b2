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
#include "core/bodies/body_system.hpp"
#include "core/bodies/scene_words.hpp"
#include "core/encounters/encounter.hpp"
#include "core/integrators/integrators.hpp"
#include "core/simulation/snapshot.hpp"

namespace orrery {

class Pool;
struct Edit;

/// Bodies, engine and integrator in lockstep: nothing moves except by a call. A step can be made in slices, and changes
/// take effect between two slices: the current force evaluation is abandoned and restarted.
class Simulation {
public:
    /// An empty `integrator_id`: as the scene recommends. With `ranks`, which must outlive it, evaluations of forces
    /// are shared: each rank makes the same simulation and calls the same in the same order, or rank 0 alone, see Lead.
    Simulation(Scene scene, const EngineConfig& engine, std::string_view integrator_id = {}, Ranks* ranks = nullptr);
    Simulation(Simulation&&) noexcept;
    Simulation& operator=(Simulation&&) noexcept;
    ~Simulation();

    /// One whole step. Throws Error naming body and step when the state is no longer finite.
    void step() { take_steps(std::chrono::hours{1}, 1); }
    /// Whole steps for about `budget`, at least one and `most` at most; returns how many. More than one only where they
    /// can be queued on a device. Throws as step() does; the state may then be some steps further.
    std::uint64_t take_steps(std::chrono::duration<double> budget, std::uint64_t most);
    /// Works for about `budget`. Returns the number of completed steps: 0 if the budget ended within one; 1, after
    /// which nothing is started; or at most `most`, where steps can be queued.
    std::uint64_t advance(std::chrono::duration<double> budget, std::uint64_t most);
    bool advance(std::chrono::duration<double> budget) { return advance(budget, 1) == 1; }
    /// Works for about `budget` on the forces at the current positions, so that they are known before the next step
    /// begins; nothing moves. Returns whether they are complete. Not within a step.
    bool evaluate(std::chrono::duration<double> budget);

    void set_engine(const EngineConfig& config);  ///< keeps bodies and time; strong exception guarantee
    void set_gravity(const Gravity& gravity);
    void set_dt(double dt);  ///< takes effect at the next step
    /// Time runs backward: steps of −dt from the next one on, by which a time-reversible integrator retraces its steps
    /// up to rounding.
    void set_reversed(bool reversed) { reversed_ = reversed; }
    /// Takes effect at the next step. Throws Error{kUsage} naming the engine if it does not support the integrator.
    void set_integrator(std::string_view id);
    void set_integrator(std::string_view id, double adaptive);  ///< both or none
    /// η of adaptive steps (see step_limit(); dt is then the maximum), or 0. Takes effect at the next step. Throws as
    /// require_adaptive() does.
    void set_adaptive(double eta);

    /// From the next step on bodies meet that touch, as Scene::encounters says; not while time runs backward. Not
    /// within a step. Throws Error{kUsage} as encounters_refusal() says.
    void set_encounters(const EncounterRule& rule);
    const EncounterRule& encounter_rule() const { return scene_.encounters; }
    const EncounterLog& encounters() const { return met_; }
    /// Of a scene that goes on, before its first step.
    void go_on_booking(const EncounterLedger& ledger) { met_ = {ledger, {}}; }
    /// Grows by one whenever bodies are others than before: indices have changed then.
    std::uint64_t bodies_serial() const { return bodies_serial_; }

    const EngineConfig& engine_config() const { return engine_config_; }
    /// Its bodies are those of the beginning, and none after edit().
    const Scene& scene() const { return scene_; }
    /// A scene that goes on from here: the present bodies, time, gravity, step and integrator. Not within a step.
    Scene present() const;
    Scene settings() const;                                  ///< the same without bodies
    void count_from(std::int64_t steps) { steps_ = steps; }  ///< of a scene that goes on, before its first step
    const Gravity& gravity() const { return scene_.gravity; }
    double dt() const { return scene_.dt; }
    double step_dt() const { return step_dt_; }  ///< of the step begun last
    double time() const { return time_; }
    bool reversed() const { return reversed_; }
    std::int64_t steps() const { return steps_; }     ///< steps taken, minus those taken backward
    std::uint64_t moment() const { return moment_; }  ///< steps taken, either way: orders snapshots
    /// Another number whenever bodies of this system() may have moved.
    std::uint64_t motions() const { return motions_; }
    struct Lost {
        std::size_t body;
        std::int64_t step;  ///< after which its state was no longer finite
        double time;
    };
    /// The first body whose state is no longer finite, if any. Waits, or examines all bodies, if necessary.
    std::optional<Lost> lost();
    bool knows_lost() const { return looked_ == Looked::kYes; }  ///< lost() costs nothing
    Ranks* ranks() const { return ranks_; }                      ///< null: one process
    BodySystem& system() { return *system_; }
    const BodySystem& system() const { return *system_; }
    /// Outlives the simulation, and a change of engine, with whoever keeps it: for those who look at its columns().
    std::shared_ptr<const BodySystem> shared_system() const { return system_; }
    const IntegratorEntry& integrator_entry() const { return *wanted_integrator_; }
    double adaptive() const { return scene_.adaptive; }
    double mean_mass() const { return words_->mean_mass; }  ///< of a body
    /// Names, species and ids where encounters may have changed them; null: those of scene().
    std::shared_ptr<const Bodies> labels() const { return labels_; }

    /// Accelerations computed since the beginning: one per body and complete evaluation, fewer if only some bodies are
    /// due.
    std::uint64_t body_forces() const { return body_forces_; }
    /// Number of bodies with steps of dt, dt/2, dt/4 and so on; empty where all take the same.
    std::vector<std::size_t> ladder();
    double force_progress() const;  ///< 0 … 1, of the evaluation under way
    double last_force_seconds() const {
        return last_force_seconds_;
    }                                                    ///< of the last complete evaluation, waiting left out
    bool forces_fresh() const { return forces_fresh_; }  ///< accelerations belong to the current positions and engine
    /// Of an engine whose accuracy is kept, see BodySystem::accuracy_to_keep().
    const Acceptance& acceptance() const { return keeper_.kept().acceptance; }
    /// Between the stages of a step: positions and velocities do not belong to the same time.
    bool within_step() const { return stage_ != 0; }
    /// The colour quantity of frames. The potential is computed with the forces while it is needed, which takes some
    /// time and may change the rounding of accelerations.
    void set_color_by(ColorBy by);
    ColorBy color_by() const { return color_by_; }
    /// Unit vector away from the eye, for frames coloured by what moves along it.
    void set_sight_line(Vec3d along) { sight_line_ = along; }
    Vec3d sight_line() const { return sight_line_; }
    /// The colours need an evaluation: evaluate() provides them without a step.
    bool color_due() const { return needs_forces(color_by_) && !color_forces_; }
    /// The current state, ready to draw. `may_reuse` as in Coloring.
    void fill(Frame& frame, bool may_reuse = false);

    Snapshot snapshot() const { return snapshot_with(system_->save()); }  ///< not within a step
    Snapshot snapshot_with(BodyState bodies) const;  ///< of the current state, if `bodies` come from elsewhere
    /// Restores the state, bit for bit if the precision is the same. The current step is abandoned. Engine, gravity and
    /// dt are not changed; if they are those of the snapshot, the following steps are bitwise identical, unless an
    /// evaluation was in progress between two steps when the snapshot was taken.
    void restore(const Snapshot& snapshot);
    /// Shows bodies that come from elsewhere, as many, at a time on their way, as if `by` steps had led there. The
    /// current step is abandoned; the next evaluation does not depend on earlier ones.
    void show(const Interpolation& way, double time, std::int64_t by);

    // simulation_edit.cpp
    /// All of a state but its bodies.
    struct Onward {
        Scene settings;
        std::int64_t steps = 0;
        EncounterLedger encounters;
    };
    /// What the edit does to the present bodies. Throws as edited(). Not within a step.
    BodyChange change_of(const Edit& edit) const;
    KeptBodies keep(KeptBodies old) const;  ///< the present bodies, in the memory of `old` where it fits
    /// Puts back the bodies of `from`, if any, makes the changes, and goes on as a simulation made of these bodies
    /// does, to the bit; where they lie, so that few that change take little time. `given`: the last change is what a
    /// person gives, not what is put back. False, and nothing is done: it takes such a simulation. Throws as the
    /// constructor does, and then everything is as it was.
    bool edit(const KeptBodies* from, std::span<const BodyChange> changes, bool given, const Onward& onward);

private:
    void go_on(const Onward& onward, const BodyChange* given);
    void adopt_integrator();
    void begin_step();
    // simulation_encounters.cpp
    void begin_sweep();
    void find_pinned();
    void take_hold();
    void hold();
    void let_meet();
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

    /// Places at the beginning of the step, for encounters.
    struct Sweep {
        std::vector<Vec4d> places;
        std::uint64_t moment = 0;
        bool known = false;
    };

    Ranks* ranks_ = nullptr;
    Scene scene_;
    std::shared_ptr<const std::vector<float>> masses_;  // as Frame has them
    std::shared_ptr<const std::vector<float>> radii_;   // likewise
    std::shared_ptr<const SceneWords> words_;           // likewise
    EngineConfig engine_config_;
    const IntegratorEntry *integrator_, *wanted_integrator_;  // of the step under way, and from the next one on
    std::shared_ptr<BodySystem> system_;
    double time_, step_dt_ = 0;
    std::int64_t steps_ = 0;
    std::uint64_t moment_ = 0, body_forces_ = 0, motions_ = 0;
    std::size_t due_ = 0;  // bodies of the evaluation under way, if within a step
    bool reversed_ = false;
    std::size_t stage_ = 0;
    bool forces_fresh_ = false;
    std::optional<Gravity> evaluated_;  // the engine's accelerations are of a complete evaluation under this one
    bool arrived_ = false;              // all bodies are at the end of the step
    ColorBy color_by_ = ColorBy::kSpeed;
    Vec3d sight_line_{0, 0, 1};
    bool shown_ = false;         // by show(), and not evaluated since
    bool color_forces_ = false;  // this system has completed an evaluation, with potentials if they are needed
    std::uint64_t items_ = 0, next_item_ = 0;  // of the current evaluation; items_ 0: none
    AccuracyKeeper keeper_;
    std::vector<std::uint32_t> pinned_;  // bodies that keep their place
    std::vector<BodySample> held_;       // where they are, during a step
    EncounterLog met_;
    Sweep sweep_;
    std::unique_ptr<Pool> sweep_pool_;  // while bodies meet
    /// While bodies meet: theirs, and those of the beginning.
    std::shared_ptr<const Bodies> labels_, first_labels_;
    std::uint64_t bodies_serial_ = 0;
    double items_per_second_ = 0, force_seconds_ = 0, last_force_seconds_ = 0;
    double step_seconds_ = 0;   // of whole steps of this engine and integrator, as far as known; 0: not yet
    std::uint64_t queued_ = 1;  // steps of the last queue
    enum class Looked { kNo, kQueued, kYes } looked_ = Looked::kNo;  // whether lost_ describes the current state
    std::optional<Lost> lost_;
    std::int64_t looked_from_ = 0;  // where that queue began
    double looked_time_ = 0;
};

}  // namespace orrery
