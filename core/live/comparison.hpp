// SPDX-License-Identifier: MIT
#pragma once
#include <chrono>
#include <optional>

#include "core/bodies/frame.hpp"
#include "core/bodies/interpolation.hpp"
#include "core/live/compare_status.hpp"
#include "core/live/energy_curve.hpp"
#include "core/live/energy_watch.hpp"
#include "core/live/status.hpp"
#include "core/live/thinned_series.hpp"
#include "core/simulation/simulation.hpp"

namespace orrery {

class SeriesPlayer;

/// Maximum and RMS distance between bodies of the same index. Both must have the same number of bodies.
Divergence divergence(const Bodies& a, const Bodies& b);

/// A second simulation, B, that starts from the state of a first, A, and is kept at A's time with its own settings.
/// Belongs to A's thread. When A has made a step, B is due, and A waits until work() returns that B has caught up. A
/// may be played from a series of snapshots: B then computes what lies between two pictures, by equal steps of at most
/// A's dt.
class Comparison {
public:
    using Seconds = std::chrono::duration<double>;

    /// Changes the settings of B. Starts a comparison at the end of A's current step if there was none. Throws as
    /// Simulation does, and then leaves everything as it was.
    void set(const CompareSettings& settings);
    void restart() { begin_ = wanted_.has_value(); }  ///< from A's state at the end of its current step
    void law_changed(const Simulation& a);    ///< B takes A's law of pairs and keeps its softening; throws as set()
    void scene_changed(const Simulation& a);  ///< restarts, with the softening of the new scene
    void stop();
    /// Frames of B hold the distance of each body from A's instead of A's colour quantity: see fill().
    void show_differences(bool on) { differences_ = on; }

    bool on() const { return b_.has_value(); }
    /// The colour quantity of B's frames from the next evaluation on; A's is set by the caller.
    void set_color_by(ColorBy by);
    void set_sight_line(Vec3d along);
    void complete_colors();  ///< evaluates B's forces if its colours need them; not while B is due
    /// From here on A is moved along a series by this player, which the caller keeps; null: by its steps.
    void set_of_series(const SeriesPlayer* player) { player_ = player, passed_.reset(); }
    /// Starts when A has completed its step.
    bool waits_for(const Simulation& a) const { return begin_ && a.within_step(); }
    /// Must work before A makes another step.
    bool due(const Simulation& a) const {
        return !a.within_step() && (begin_ || behind_ || steps_left_ > 0 || lost(a));
    }
    void a_stepped(const Simulation& a);  ///< call it after each step of A
    /// Call it after each step of a series' player. B then goes by the snapshot that the step has gone past, and its
    /// distance is measured there: between snapshots A is interpolated. After a jump of the player B begins again, from
    /// the snapshot before.
    void a_played(const Simulation& a);
    /// Works for about `budget`; when due. Returns whether B has reached A's time. Both start with newly created
    /// engines, so that their state from earlier steps makes no difference. Throws what B throws; the comparison is
    /// then over.
    bool work(Simulation& a, Seconds budget);

    /// B's current state as frame.other, if any, and the engine settings of both. Under show_differences() the colour
    /// scalar is log10 of the distance to A's body, in lengths of the scene. `may_reuse` as in Coloring.
    void fill(const Simulation& a, Frame& frame, bool may_reuse = false);
    /// Measures the distance of B from A, if enough time has passed or `each`; not while B is due. Does nothing where A
    /// is a series.
    void measure(const Simulation& a, bool each);
    void report(Status& status);  ///< into status.compare; A's energies are in `status`

private:
    void begin(Simulation& a);
    void set_gravity(const Gravity& gravity);
    bool lost(const Simulation& a) const;
    void plan_way(const Simulation& a);
    void meet_snapshot(const Simulation& a);
    void add_divergence(const Bodies& a);
    bool apart_from(double time, const Simulation& a) const;
    void check_finite();
    int parts() const { return settings().dt_power < 0 ? 1 << -settings().dt_power : 1; }
    int group() const { return settings().dt_power > 0 ? 1 << settings().dt_power : 1; }
    const CompareSettings& settings() const { return *wanted_; }

    std::optional<CompareSettings> wanted_;  // current, or to start with
    std::optional<Simulation> b_;
    bool begin_ = false, differences_ = false;
    const SeriesPlayer* player_ = nullptr;     // where A is a series
    Interpolation::Moment passed_;             // a snapshot of it that B has to meet on its way
    std::uint64_t serial_ = 0, a_moment_ = 0;  // a_moment_: A's moment at the last check
    double a_time_ = 0;
    bool behind_ = false;  // A was played on, and B's steps to it are not planned
    int steps_left_ = 0;   // that B has to take
    int a_pending_ = 0;    // steps of A that B has not started to follow
    double pending_ = 0;   // their length
    TimingWindow forces_;  // of B
    std::optional<Divergence> divergence_;
    std::chrono::steady_clock::time_point next_measure_{};
    ThinnedSeries<DivergencePoint> history_;
    EnergyCurve energy_a_, energy_b_;
    EnergyWatch energy_;
    bool other_law_ = false;  // B's energies begin anew at the end of its step
    Status diagnosed_;        // of B: only what EnergyWatch writes
};

}  // namespace orrery
