// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "core/analysis/background.hpp"
#include "core/bodies/body_state.hpp"
#include "core/bodies/frame.hpp"
#include "core/bodies/interpolation.hpp"
#include "core/live/monitors.hpp"
#include "core/live/status.hpp"
#include "core/simulation/simulation.hpp"

namespace orrery {

class SeriesPlayer;

/// Points in order of time, at most kMost: when full, drops every other point and skips later ones accordingly.
template <class Point>
class ThinnedSeries {
public:
    static constexpr std::size_t kMost = 400;
    void add(const Point& point) {
        if (seen_++ % stride_ != 0) return;
        points_.push_back(point);
        if (points_.size() < kMost) return;
        for (std::size_t i = 0; 2 * i < points_.size(); ++i) points_[i] = points_[2 * i];
        points_.resize((points_.size() + 1) / 2);
        stride_ *= 2;
    }
    const std::vector<Point>& points() const { return points_; }

private:
    std::vector<Point> points_;
    std::size_t stride_ = 1, seen_ = 0;
};

/// A state of one side of a comparison, at the end of a step, whose energy is to be computed.
struct EnergyState {
    explicit EnergyState(const Simulation& simulation);
    /// The simulation's forces act on these bodies instead of its own.
    EnergyState(const Simulation& simulation, const Bodies& bodies);

    std::shared_ptr<const BodyCopy> bodies;  ///< null: EnergyMonitor would not watch it
    std::vector<double> charge;
    Gravity gravity;
    Law law;
    double taken;  ///< energy that encounters have taken so far
};

/// Relative changes of the energies of both sides of a comparison. A sample has the energies of A and B at one time of
/// the scene, so equal runs have equal curves. Computes in the background at intervals; no call waits.
class PairedEnergies {
public:
    /// Starts both curves with these states of this time.
    void restart(double time, EnergyState a, EnergyState b);
    /// True if another sample may begin now.
    bool due();
    /// Begins a sample; both curves start with it if a force law has changed.
    void take(double time, EnergyState a, EnergyState b);
    void collect();  ///< the sample in progress, if it is done
    /// From the first sample on; empty until its energy is known, or if that is 0.
    std::vector<EnergyPoint> points_a() const { return points(0); }
    std::vector<EnergyPoint> points_b() const { return points(1); }

private:
    static constexpr std::size_t kSides = 2;
    using Energies = std::array<std::optional<double>, kSides>;
    struct Sample {
        double time;
        Energies energies;
    };
    struct Forces {
        Gravity gravity;
        Law law;
        friend bool operator==(const Forces&, const Forces&) = default;
    };
    std::vector<EnergyPoint> points(std::size_t side) const;
    bool in_progress() const { return !waited_for_.empty(); }
    void start(std::size_t side);

    std::unique_ptr<std::array<BackgroundDiagnostics, kSides>> work_;  // threads, from the first comparison on
    std::uint64_t serial_ = 0;
    std::vector<std::size_t> waited_for_;  // sides whose energy of the sample in progress is not there
    Sample sample_{};                      // in progress
    std::array<std::optional<EnergyState>, kSides> states_;  // whose work has not started
    double seconds_ = 0;                                     // that it has taken
    std::array<double, kSides> taken_{};
    std::array<Forces, kSides> forces_{};
    std::optional<Sample> first_;
    ThinnedSeries<Sample> later_;
    std::chrono::steady_clock::time_point next_{};
};

/// Maximum and RMS distance between bodies with the same id, or the same index.
Divergence divergence(const Bodies& a, const Bodies& b);

/// A second simulation, B, that starts from the state of a first, A, and is kept at A's time with its own settings.
/// Belongs to A's thread. After a step of A, B is due, and A waits until work() reports that B has caught up. A may be
/// played from a series of snapshots: B then computes the motion between two frames with equal steps of at most A's dt.
class Comparison {
public:
    using Seconds = std::chrono::duration<double>;

    /// Changes the settings of B. Starts a comparison at the end of A's current step if there is none. Throws as
    /// Simulation does, leaving everything unchanged.
    void set(const CompareSettings& settings);
    void restart() { begin_ = wanted_.has_value(); }       ///< from A's state at the end of its current step
    void allow_tuning(const Simulation& a, bool allowed);  ///< see World::allow_tuning()
    void law_changed(const Simulation& a);    ///< B takes A's pair law and keeps its softening; throws as set()
    void scene_changed(const Simulation& a);  ///< restarts with the softening of the new scene
    void stop();
    /// Colours B's frames by the distance of each body from A's instead of A's quantity: see fill().
    void show_differences(bool on) { differences_ = on; }

    bool on() const { return b_.has_value(); }
    Simulation* b() { return b_ ? &*b_ : nullptr; }  ///< null: none has started
    /// True if B computes, or will compute, on this backend.
    bool computes_on(Backend backend) const { return wanted_ && wanted_->engine.backend == backend; }
    /// Sets the colour quantity of B's frames from the next evaluation on; the caller sets A's.
    void set_color_by(ColorBy by, std::optional<Vec3d> sight_line = {}, std::optional<std::string> field = {});
    void complete_colors();  ///< as the function for a simulation, for B; not while B is due
    /// As BodyErrorMonitor::take(), for B.
    bool take_errors();
    /// Lets this player move A from now on; the caller owns it. Null: A takes its own steps.
    void set_of_series(const SeriesPlayer* player) { player_ = player, passed_.reset(); }
    /// True if B starts once A has completed its step.
    bool waits_for(const Simulation& a) const { return begin_ && a.within_step(); }
    /// True if B must work before A's next step.
    bool due(const Simulation& a) const {
        return !a.within_step() && (begin_ || behind_ || steps_left_ > 0 || lost(a));
    }
    void a_stepped(const Simulation& a);  ///< call after each step of A
    /// Call after each step of the player. B stops at the snapshot that the step has passed, to measure its distance
    /// there, because A is interpolated between snapshots. After a jump, B restarts from the snapshot before.
    void a_played(const Simulation& a);
    /// Works for about `budget`, when due. Returns whether B has reached A's time. Both start with newly created
    /// engines, so that history from earlier steps makes no difference. Throws what B throws; the comparison is then
    /// over.
    bool work(Simulation& a, Seconds budget);

    /// Fills frame.other with B's current state, if any, and sets the engine descriptions of both. Under
    /// show_differences() the colour scalar is log10 of the distance to A's body, in the scene's unit of length.
    /// `may_reuse` as in Coloring.
    void fill(const Simulation& a, Frame& frame, bool may_reuse = false);
    /// Measures the distance of B from A, if enough time has passed or `each`, and takes samples of their energies in
    /// the background; not while B is due. Does nothing where A is a series.
    void measure(const Simulation& a, bool each);
    void report(const Simulation& a, Status& status);  ///< into status.compare

private:
    void begin(Simulation& a);
    bool lost(const Simulation& a) const;
    void plan_way(const Simulation& a);
    void meet_snapshot(const Simulation& a);
    void add_divergence(const Bodies& a);
    bool level(const Simulation& a) const;
    void take_energies(const Simulation& a);
    bool apart_from(double time, const Simulation& a) const;
    void check_finite();
    void restart_errors() {
        if (errors_) errors_->restart();
    }
    int parts() const { return settings().dt_power < 0 ? 1 << -settings().dt_power : 1; }
    int group() const { return settings().dt_power > 0 ? 1 << settings().dt_power : 1; }
    const CompareSettings& settings() const { return *wanted_; }

    std::optional<CompareSettings> wanted_;  // current, or for the start
    std::optional<Simulation> b_;
    bool begin_ = false, differences_ = false;
    const SeriesPlayer* player_ = nullptr;     // set if A is a series
    Interpolation::Moment passed_;             // a snapshot that B must stop at
    std::uint64_t serial_ = 0, a_moment_ = 0;  // a_moment_: A's moment at the last check
    double a_time_ = 0;
    bool behind_ = false;  // A has moved, and B's steps are not planned yet
    int steps_left_ = 0;   // steps of B until A's time
    int a_pending_ = 0;    // steps of A that B has not followed yet
    double pending_ = 0;   // their total length
    TimingWindow forces_;  // of B
    std::optional<Divergence> divergence_;
    std::chrono::steady_clock::time_point next_measure_{};
    ThinnedSeries<DivergencePoint> history_;
    PairedEnergies energies_;
    double energies_at_ = 0;                    // time of the last sample of them
    std::unique_ptr<BodyErrorMonitor> errors_;  // of B; null: none
};

}  // namespace orrery
