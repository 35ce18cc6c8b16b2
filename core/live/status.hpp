// SPDX-License-Identifier: MIT
#pragma once
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/bodies/body_system.hpp"
#include "core/cloud/cloud_status.hpp"
#include "core/diagnostics/diagnostics.hpp"
#include "core/diagnostics/theta_sweep.hpp"
#include "core/encounters/encounter.hpp"
#include "core/engines/acceptance.hpp"
#include "core/formats/snapshot_facts.hpp"
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
    SceneRequest request;  ///< that the scene was opened by
    std::string scene_id, scene_label;
    std::vector<std::string> scene_notes;  ///< as Scene::notes
    SnapshotFacts facts;                   ///< of the file that the scene was opened from
    bool waits_for_start = false;          ///< the scene was loaded with look_first, and has not been started
    std::size_t bodies = 0;
    EngineConfig engine;         ///< current
    std::string engine_choice;   ///< what the engine chose
    int ranks = 1;               ///< processes that run the simulation, see Ranks
    bool shared = false;         ///< the engine shares its work with them
    EngineReport engine_report;  ///< of the last evaluation by this engine; empty until there is one
    Gravity gravity;
    std::string integrator;           ///< id
    double adaptive = 0;              ///< as Scene::adaptive
    std::vector<std::size_t> ladder;  ///< as Simulation has it
    EncounterRule encounters;
    EncounterLedger met;              ///< what encounters have done so far
    std::vector<Encounter> met_last;  ///< of kMetShown at most, the last first
    double mean_mass = 0;             ///< of a body
    double dt = 0, time = 0, days_per_time = 0, scale_factor = 0;
    std::string length_unit, mass_unit;  ///< as the scene names them
    std::int64_t step = 0;               ///< steps taken, minus those taken backward
    std::uint64_t scene_serial = 0;      ///< grows by one with each scene loaded
    std::uint64_t actions_done = 0;      ///< number of sent actions that were applied or refused
    int steps_per_frame = 1;             ///< the scene's recommendation for recordings
    std::size_t undos = 0, redos = 0;    ///< states that Undo and Redo can come back to
    bool undos_dropped = false;          ///< there were older ones, for which there was no room
    std::optional<double> edited;        ///< time of the last edit, since which energies are compared; empty: none
    bool paused = false, reversed = false;
    bool loading = false;  ///< a scene is being opened
    double speed_limit = 0, steps_per_second = 0;
    double force_progress = 0;  ///< progress of the current evaluation, 0 … 1; of interest if a step takes long
    Timing force;
    double pairs_per_second = 0;  ///< N² / median force time
    std::optional<ForceError> error;
    double accuracy_to_keep = 0;      ///< as BodySystem has it
    Acceptance acceptance;            ///< of an engine that has one to keep
    std::optional<double> net_force;  ///< |Σ m·a| / Σ|m·a|, measured with `error`: 0 where Newton's third law holds
    std::optional<Diagnostics> energy_now, energy_start;
    double energy_time = 0;                                ///< of the scene, of energy_now
    std::int64_t energy_step = 0;                          ///< likewise
    EncounterLedger energy_met, energy_met_start;          ///< likewise, and of energy_start
    std::chrono::steady_clock::time_point energy_taken{};  ///< wall time of that state
    double energy_seconds = 0;                             ///< that it took
    StructureStatus structure;
    AnalysisStatus analysis;  ///< under WatchAnalysis
    Timeline timeline;
    SeriesStatus series;
    SnapshotsStatus snapshots;
    CloudStatus cloud;
    CompareStatus compare;
    std::optional<Inspection> inspection;  ///< under Inspect
    ThetaSweep theta_sweep;                ///< as far as measured
    std::string energy_note;               ///< why there is no energy, when there is none
    std::string saved;                     ///< path of the last state that was written
    std::uint64_t saved_serial = 0;
    bool keeping = false;           ///< SaveState::By::kItself has been asked for, and is not done
    std::uint64_t kept_serial = 0;  ///< grows by one with each that is
    std::string message;            ///< the last refusal or failure, one line; empty when all is well
    std::uint64_t message_serial = 0;

    static constexpr std::size_t kMetShown = 12;

    /// Of the latest energy against the first one; nothing before both are measured.
    std::optional<Conservation> conservation() const;
    /// (E − E₀) / |E₀|, with E what it would be without what encounters took.
    std::optional<double> energy_drift() const;
    /// |P − P₀| by the largest Σ m|v|
    std::optional<double> momentum_drift() const;
};

/// How far a series is played in a second, at this time per step: "12 Myr", "Δa = 0.01".
std::string play_rate_text(const Status& status, double time_per_step);

}  // namespace orrery
