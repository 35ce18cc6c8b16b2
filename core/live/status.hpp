// SPDX-License-Identifier: MIT
#pragma once
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/analysis/analysis_settings.hpp"
#include "core/analysis/background.hpp"
#include "core/analysis/diagnostics.hpp"
#include "core/analysis/result.hpp"
#include "core/analysis/structure.hpp"
#include "core/base/clock.hpp"
#include "core/bodies/body_system.hpp"
#include "core/cloud/cloud_stream.hpp"
#include "core/encounters/encounters.hpp"
#include "core/engines/acceptance.hpp"
#include "core/engines/config.hpp"
#include "core/formats/formats.hpp"
#include "core/live/inspection.hpp"
#include "core/live/rewind.hpp"
#include "core/simulation/conservation.hpp"
#include "core/simulation/scene_request.hpp"

namespace orrery {

/// Settings of B, the second simulation of a comparison. All other settings are A's.
struct CompareSettings {
    static constexpr int kMostPower = 6;
    EngineConfig engine;
    double softening = 0;  ///< Plummer ε, a length
    /// B's step is 2^dt_power steps of A, or at most 2^dt_power dt if A is played; −kMostPower to kMostPower.
    int dt_power = 0;
    friend bool operator==(const CompareSettings&, const CompareSettings&) = default;
};

/// Distances of B's bodies from A's, in the scene's unit of length.
struct Divergence {
    double rms = 0, max = 0;
    std::size_t body = 0;  ///< the body with the largest distance
};

struct DivergencePoint {
    double time;  ///< scene time
    double rms, max;
};
struct EnergyPoint {
    double time;   ///< scene time
    double drift;  ///< (E − E₀) / |E₀|; E₀ at the start of the comparison
};

/// State of a comparison. A's own numbers are in Status.
struct CompareStatus {
    std::optional<CompareSettings> wanted;  ///< current, or about to start
    bool on = false;                        ///< B exists
    bool of_series = false;                 ///< A is played from files, B is computed
    CompareSettings settings;               ///< current
    std::uint64_t serial = 0;               ///< incremented with each start
    std::string engine_choice;
    Timing force;         ///< of B
    double progress = 0;  ///< of B's current evaluation
    double time = 0;      ///< of B
    std::optional<Divergence> divergence;
    // Since the start; thinned out so that they always span the whole time.
    std::vector<DivergencePoint> history;
    std::vector<EnergyPoint> energy_a, energy_b;
};

/// The open scene.
struct SceneStatus {
    SceneRequest request;  ///< request that opened it
    std::string id, label;
    std::vector<std::string> notes;              ///< see Scene::notes
    SnapshotFacts facts;                         ///< about its file
    std::uint64_t serial = 0;                    ///< incremented with each loaded scene
    bool loading = false;                        ///< a scene is being opened
    bool waits_for_start = false;                ///< loaded with look_first and not started yet
    double days_per_time = 0, scale_factor = 0;  ///< see Scene
    double expansion = 0;                        ///< expansion_of() the scene
    Cosmology cosmology{};                       ///< see Scene
    std::string length_unit, mass_unit;          ///< see Scene
    int steps_per_frame = 1;                     ///< its recommendation for recordings
};

/// The engine and the processes that run it.
struct EngineStatus {
    EngineConfig config;  ///< current
    EngineConfig used;    ///< in force, see Simulation::used_engine()
    std::string choice;   ///< chosen by measurement and by the engine itself
    int ranks = 1;        ///< processes that run the simulation, see Ranks
    bool shared = false;  ///< the engine shares its work with other ranks
    EngineReport report;  ///< of the last evaluation by this engine; empty before the first
};

/// Times and errors of force evaluations.
struct ForceStatus {
    Timing timing;
    double progress = 0;            ///< of the current evaluation, 0 … 1; useful if a step takes long
    double pairs_per_second = 0;    ///< N² / median force time
    std::uint64_t body_forces = 0;  ///< accelerations computed so far, see ForceEvaluation::body_forces()
    std::optional<ForceError> error;
    std::optional<double> net;    ///< |Σ m·a| / Σ|m·a|, measured with `error`: 0 if Newton's third law holds
    double accuracy_to_keep = 0;  ///< see BodySystem::accuracy_to_keep()
    Acceptance acceptance;        ///< for engines with accuracy control
    ThetaSweep theta_sweep;       ///< results so far
};

/// The law of motion and its integration.
struct DynamicsStatus {
    Gravity gravity;
    std::string integrator;           ///< id
    double adaptive = 0;              ///< see Scene::adaptive
    std::vector<std::size_t> ladder;  ///< see orrery::ladder()
    double dt = 0;
};

/// Encounters of bodies and their effect.
struct EncounterStatus {
    static constexpr std::size_t kMostShown = 12;
    EncounterRule rule;
    EncounterLedger ledger;       ///< effect so far
    std::vector<Encounter> last;  ///< at most kMostShown, latest first
    double mean_mass = 0;         ///< per body
};

/// How the simulation advances.
struct PaceStatus {
    bool paused = false, reversed = false;
    double speed_limit = 0, steps_per_second = 0;
};

/// Edits and the states before them.
struct EditStatus {
    std::size_t undos = 0, redos = 0;  ///< number of states available to Undo and Redo
    bool dropped = false;              ///< older ones were dropped for lack of memory
    std::optional<double> time;        ///< of the last edit, the start of energy comparison; empty: none
};

/// The latest energies and momenta, and the state they belong to.
struct EnergyStatus {
    std::optional<Diagnostics> now, start;          ///< empty: not yet; start: the first one of the scene
    double time = 0;                                ///< scene time of `now`
    std::int64_t step = 0;                          ///< step of `now`
    EncounterLedger met, start_met;                 ///< of the states `now` and `start`
    std::chrono::steady_clock::time_point taken{};  ///< wall time of that state
    double seconds = 0;                             ///< computing time
    std::string note;                               ///< why there is no energy, if there is none

    /// Change from the first energy to the latest; empty until both are measured.
    std::optional<Conservation> conservation() const;
    /// (E − E₀) / |E₀|, where E excludes the effect of encounters.
    std::optional<double> drift() const;
};

/// The latest structure analysis, and the state it belongs to.
struct StructureStatus {
    std::shared_ptr<const Structure> now, start;    ///< null: not yet; start: the first one of the scene
    std::uint64_t serial = 0;                       ///< incremented with each analysis
    std::int64_t step = 0;                          ///< step of `now`
    double time = 0;                                ///< scene time of `now`
    std::chrono::steady_clock::time_point taken{};  ///< wall time of that state
    double seconds = 0;  ///< time that one took on each core, including the copy of the state
    double period = 0;   ///< minimum seconds between two, so that they take 5 % of the time
    std::string note;    ///< why there is none, one line

    /// |P − P₀| over the larger Σ m|v| of both states
    std::optional<double> momentum_drift() const;
    /// |L − L₀| over the larger Σ m|x × v| of both states, about the origin, excluding the effect of encounters
    std::optional<double> angular_momentum_drift() const;
    /// |x − x₀ − v₀ (t − t₀)|, a length: deviation of the centre of mass from uniform motion
    std::optional<double> centre_drift() const;
    double start_time = 0;           ///< scene time of `start`
    EncounterLedger met, start_met;  ///< of the states `now` and `start`
};

/// The latest plot of the bodies and the state it shows.
struct AnalysisStatus {
    std::shared_ptr<const AnalysisResult> now;  ///< null: not yet computed, or not requested
    AnalysisSettings settings;                  ///< settings of `now`
    std::uint64_t serial = 0;                   ///< incremented with each plot
    std::int64_t step = 0;                      ///< step of the plotted state
    double time = 0;                            ///< scene time of the plotted state
    double seconds = 0;                         ///< computing time
    std::string note;                           ///< why there is no plot, one line
};

/// A series of snapshots played in place of a simulation.
struct SeriesStatus {
    bool on = false;
    std::shared_ptr<const std::vector<double>> times =
        std::make_shared<const std::vector<double>>();  ///< of its snapshots, ascending
    double rate = 0;                                    ///< time per step
    bool held = false;                                  ///< set by ShowTime::hold: nothing moves
    bool follows = false;                               ///< looks for new snapshots and shows them
    bool reading = false;                               ///< the requested bodies are still being read
};

/// The series of snapshots being written, or the last one.
struct SnapshotsStatus {
    bool on = false;
    bool failed = false;        ///< ended early; a message gives the reason
    bool ending = false;        ///< no more snapshots are taken; the last ones are being written
    std::uint64_t written = 0;  ///< number of files
    std::string last;           ///< path of the last file; empty: none yet
};

/// Files displayed in place of a computed simulation.
struct SourceStatus {
    SeriesStatus series;
    CloudStatus cloud;
};

/// Files being written.
struct SavingStatus {
    std::string path;               ///< of the last saved state
    std::uint64_t serial = 0;       ///< incremented with each saved state
    bool autosave_pending = false;  ///< see SaveState::By::kItself
    std::uint64_t autosaves = 0;    ///< number of autosaves written
    SnapshotsStatus snapshots;
};

/// A copy of the bodies, in the order of the simulation.
struct TakenBodies {
    std::uint64_t serial = 0;  ///< incremented with each copy
    std::string scene;         ///< id
    Bodies bodies;             ///< positions, velocities and masses
    Gravity gravity;
};

/// The last error.
struct MessageStatus {
    std::string text;  ///< one line; empty if there is none
    std::uint64_t serial = 0;
};

/// The state of the simulation. Published after each action, step and slice; cheap to copy.
struct Status {
    SceneStatus scene;
    EngineStatus engine;
    ForceStatus force;
    DynamicsStatus dynamics;
    EncounterStatus encounters;
    std::size_t bodies = 0;
    double time = 0;
    std::int64_t step = 0;  ///< steps forward minus steps backward
    PaceStatus pace;
    EditStatus edits;
    EnergyStatus energy;
    StructureStatus structure;
    AnalysisStatus analysis;               ///< under WatchAnalysis
    std::optional<Inspection> inspection;  ///< under Inspect
    Timeline timeline;
    SourceStatus source;
    CompareStatus compare;
    SavingStatus saving;
    std::shared_ptr<const TakenBodies> taken;  ///< the last copy under CopyBodies; null: none
    MessageStatus message;
    std::uint64_t actions_done = 0;  ///< number of actions applied or rejected

    /// Stores an error, one line.
    void report(std::string error) { message = {std::move(error), message.serial + 1}; }
};

/// Playing speed of a series for this time per step, per second: "12 Myr", "Δa = 0.01".
std::string play_rate_text(const Status& status, double time_per_step);

}  // namespace orrery
