// SPDX-License-Identifier: MIT
#pragma once
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/analysis/background.hpp"
#include "core/analysis/diagnostics.hpp"
#include "core/bodies/body_system.hpp"
#include "core/cloud/cloud_stream.hpp"
#include "core/encounters/encounters.hpp"
#include "core/engines/acceptance.hpp"
#include "core/formats/formats.hpp"
#include "core/live/analysis_status.hpp"
#include "core/live/compare_status.hpp"
#include "core/live/inspection.hpp"
#include "core/live/rewind.hpp"
#include "core/live/series_status.hpp"
#include "core/live/snapshots_status.hpp"
#include "core/live/structure_status.hpp"
#include "core/live/timing.hpp"
#include "core/simulation/conservation.hpp"
#include "core/simulation/scene_request.hpp"

namespace orrery {

/// The state of the simulation. Published after each action, step and slice; cheap to copy.
struct Status {
    SceneRequest request;  ///< request that opened the scene
    std::string scene_id, scene_label;
    std::vector<std::string> scene_notes;  ///< see Scene::notes
    SnapshotFacts facts;                   ///< about the scene's file
    bool waits_for_start = false;          ///< the scene was loaded with look_first and has not been started
    std::size_t bodies = 0;
    EngineConfig engine;         ///< current
    std::string engine_choice;   ///< chosen by the engine itself
    int ranks = 1;               ///< processes that run the simulation, see Ranks
    bool shared = false;         ///< the engine shares its work with other ranks
    EngineReport engine_report;  ///< of the last evaluation by this engine; empty before the first
    Gravity gravity;
    std::string integrator;           ///< id
    double adaptive = 0;              ///< see Scene::adaptive
    std::vector<std::size_t> ladder;  ///< see Simulation::ladder()
    EncounterRule encounters;
    EncounterLedger met;              ///< effect of encounters so far
    std::vector<Encounter> met_last;  ///< at most kMetShown, latest first
    double mean_mass = 0;             ///< per body
    double dt = 0, time = 0, days_per_time = 0, scale_factor = 0;
    std::string length_unit, mass_unit;  ///< from the scene
    std::int64_t step = 0;               ///< steps forward minus steps backward
    std::uint64_t scene_serial = 0;      ///< incremented with each loaded scene
    std::uint64_t actions_done = 0;      ///< number of actions applied or rejected
    int steps_per_frame = 1;             ///< the scene's recommendation for recordings
    std::size_t undos = 0, redos = 0;    ///< number of states available to Undo and Redo
    bool undos_dropped = false;          ///< older ones were dropped for lack of memory
    std::optional<double> edited;        ///< time of the last edit, the start of energy comparison; empty: none
    bool paused = false, reversed = false;
    bool loading = false;  ///< a scene is being opened
    double speed_limit = 0, steps_per_second = 0;
    double force_progress = 0;  ///< of the current evaluation, 0 … 1; useful if a step takes long
    Timing force;
    double pairs_per_second = 0;  ///< N² / median force time
    std::optional<ForceError> error;
    double accuracy_to_keep = 0;      ///< see BodySystem::accuracy_to_keep()
    Acceptance acceptance;            ///< for engines with accuracy control
    std::optional<double> net_force;  ///< |Σ m·a| / Σ|m·a|, measured with `error`: 0 if Newton's third law holds
    std::optional<Diagnostics> energy_now, energy_start;
    double energy_time = 0;                                ///< scene time of energy_now
    std::int64_t energy_step = 0;                          ///< step of energy_now
    EncounterLedger energy_met, energy_met_start;          ///< ledgers of energy_now and energy_start
    std::chrono::steady_clock::time_point energy_taken{};  ///< wall time of that state
    double energy_seconds = 0;                             ///< computing time
    StructureStatus structure;
    AnalysisStatus analysis;  ///< under WatchAnalysis
    Timeline timeline;
    SeriesStatus series;
    SnapshotsStatus snapshots;
    CloudStatus cloud;
    CompareStatus compare;
    std::optional<Inspection> inspection;  ///< under Inspect
    ThetaSweep theta_sweep;                ///< results so far
    std::string energy_note;               ///< why there is no energy, if there is none
    std::string saved;                     ///< path of the last saved state
    std::uint64_t saved_serial = 0;
    bool keeping = false;           ///< an autosave (SaveState::By::kItself) is pending
    std::uint64_t kept_serial = 0;  ///< incremented with each autosave
    std::string message;            ///< the last error, one line; empty if there is none
    std::uint64_t message_serial = 0;

    static constexpr std::size_t kMetShown = 12;

    /// Change from the first energy to the latest; empty until both are measured.
    std::optional<Conservation> conservation() const;
    /// (E − E₀) / |E₀|, where E excludes the effect of encounters.
    std::optional<double> energy_drift() const;
    /// |P − P₀| / largest Σ m|v|
    std::optional<double> momentum_drift() const;
};

/// Playing speed of a series for this time per step, per second: "12 Myr", "Δa = 0.01".
std::string play_rate_text(const Status& status, double time_per_step);

}  // namespace orrery
