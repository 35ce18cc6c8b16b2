// SPDX-License-Identifier: MIT
#pragma once
#include <chrono>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <stop_token>
#include <thread>

#include "core/base/triple_buffer.hpp"
#include "core/live/actions.hpp"
#include "core/live/monitors.hpp"
#include "core/live/state_writers.hpp"
#include "core/live/status.hpp"
#include "core/live/trail_monitor.hpp"
#include "core/live/world.hpp"
#include "core/simulation/simulation.hpp"

namespace orrery {

/// The implementation of SimulationThread. Owns the Simulation; all members except the mailbox belong to its thread.
class SimulationWorker {
public:
    SimulationWorker(TripleBuffer<Frame>& frames, const SceneRequest& request, const EngineConfig& engine, Ranks* ranks,
                     bool look_first = false);

    void send(Action action);
    void acknowledge();
    Status status() const;

private:
    using Clock = std::chrono::steady_clock;
    using Seconds = std::chrono::duration<double>;

    void run(std::stop_token stop);
    void take_mail();
    template <class Body>
    void guarded(const Body& body);
    Seconds until_next_step() const;  ///< time without work
    Seconds until_next(const MotionSource::Computed&) const;
    Seconds until_next(const SeriesPlayer& player) const;
    Seconds until_next(const CloudStream& cloud) const;
    // One slice of work.
    void work(const MotionSource::Computed&);
    void work(SeriesPlayer& player);
    void work(CloudStream& cloud);
    std::uint64_t steps_at_once() const;  ///< steps that can be taken without other work in between
    void finish_steps(std::uint64_t steps);
    void stop_if_lost();
    void take_measurements();
    void choose_direction();
    void follow();     ///< lets the second simulation of a comparison catch up
    void catch_up();   ///< waits for B of a comparison
    void show_step();  ///< call when both have caught up
    void evaluate_for_picture();
    void wait_for_next_step(std::uint64_t steps);  ///< call after these steps

    void finish_move(const SeriesPlayer& player);
    void play_again();
    void look_at(SeriesPlayer& player);
    bool follows_series() const;

    void adopt_scene();
    void wait_for_start(bool look_first);
    void adopt_bodies();   ///< for other bodies of the same scene; dependent work restarts a little later
    void follow_bodies();  ///< updates indices after an encounter or a rewind
    bool ends_within_patience() const;
    void end_step(std::chrono::duration<double> at_most = std::chrono::duration<double>::max());
    void publish_frame(bool paced = false);
    void publish_paced_frame();
    void show_now();
    void publish_status();

    // simulation_worker_actions.cpp
    /// Actions handled entirely by World.
    template <class Other>
    void apply(const Other& wish) {
        world_.apply(wish);
    }
    void apply(const LoadScene& wish);
    void apply(const SetEngine& wish);
    void apply(const SetPaused& wish);
    void apply(const SingleStep& wish);
    void apply(const SetReversed& wish);
    void apply(const SetSoftening& wish);
    void apply(const SetLaw& wish);
    void apply(const SetEncounters& wish);
    void change_law(const Action& wish);
    void apply(const SetSpeed& wish);
    void apply(const SetPacing& wish);
    void apply(const SetCells& wish);
    void apply(const SetColorBy& wish);
    void apply(const SetSightLine& wish);
    void apply(const SetTrails& wish);
    void apply(const MeasureTheta& wish);
    void apply(const Rewind& wish);
    void apply(const RewindBy& wish);
    void apply(const SetRewindBudget& wish);
    void apply(const ShowTime& wish);
    void apply(const FollowSeries& wish);
    void apply(const LeaveSeries& wish);
    void apply(const Inspect& wish);
    void apply(const WatchCentreOfMass& wish);
    void apply(const WatchAnalysis& wish);
    void show_rewound();
    void apply(const StopCompare& wish);
    void apply(const EditBodies& wish);
    void apply(const Undo& wish);
    void apply(const Redo& wish);
    void apply(const SaveState& wish);
    void apply(const RecordSnapshots& wish);
    template <class Wish>
    void edit(const Wish& wish);
    void apply(const SetDifferences& wish);

    TripleBuffer<Frame>& frames_;
    std::stop_token stop_;  // of the thread
    World world_;
    Simulation& simulation_ = world_.simulation;
    StateMonitors monitors_;
    ForceMonitor forces_;
    RewindMonitor rewind_;
    TrailMonitor trails_;
    CheckpointWriter keeper_;
    SnapshotRecorder snapshots_;
    InspectionMonitor inspection_;
    BackgroundThetaSweep theta_;
    Comparison& compare_ = world_.comparison;
    Status status_;
    /// When steps are taken.
    struct Pace {
        RateMeter rate;
        Clock::time_point next{};
        int single = 0;            // steps to take although the simulation is paused
        bool single_back = false;  // their direction
        int per_frame = 0;         // SetPacing
        int paced = 0;             // steps since SetPacing
    };
    /// What has been published.
    struct Shown {
        Clock::time_point frame_at{}, lost_at{}, status_at{};  // lost_at: the last search for lost bodies
        bool waits_for_window = false;
        bool stepped = false;                                   // a step has not been shown yet
        int steps = 0;                                          // number of steps completed together
        SeriesPlayer::Moved moved = SeriesPlayer::Moved::kNot;  // move along a series that has not been shown yet
    };
    struct Mail {
        mutable std::mutex mutex;  // guards the members below
        std::condition_variable_any wake;
        std::deque<Action> inbox;
        bool acknowledged = false;
        Status published;
    };
    Pace pace_;
    Shown shown_;
    std::uint64_t bodies_serial_ = 0;  // last followed serial
    Mail mail_;

    std::jthread thread_;  // last member: it uses all of the above and is destroyed first
};

}  // namespace orrery
