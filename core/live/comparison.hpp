// SPDX-License-Identifier: MIT
#pragma once
#include <chrono>
#include <optional>

#include "core/bodies/frame.hpp"
#include "core/live/compare_status.hpp"
#include "core/live/energy_watch.hpp"
#include "core/live/status.hpp"
#include "core/simulation/simulation.hpp"

namespace orrery {

/// Largest and RMS distance between bodies of the same number. Both must have as many.
Divergence divergence(const Bodies& a, const Bodies& b);

/// Points in the order of time, at most kMost: when there are more, every other one goes, and from then on so many more
/// are passed over.
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

/// A second simulation, B, that begins from the state of a first, A, and is kept at A's time with settings of its own.
/// Belongs to A's thread. A takes a step; then B is due, and A waits until work() has said that B is there too.
class Comparison {
public:
    using Seconds = std::chrono::duration<double>;

    /// Changes how B goes on. Begins a comparison at the end of A's step under way when there was none. Throws as
    /// Simulation does, and then leaves everything as it was.
    void set(const CompareSettings& settings);
    void restart() { begin_ = wanted_.has_value(); }  ///< from A's state at the end of its step under way
    void scene_changed(const Simulation& a);          ///< begins again, with the softening of the new scene
    void stop();
    /// Frames of B say how far each body is from A's, in place of what they say of A's: see fill().
    void show_differences(bool on) { differences_ = on; }

    bool on() const { return b_.has_value(); }
    /// What B's frames are coloured by, from the next evaluation on; A's colours are the caller's.
    void set_color_by(ColorBy by);
    void complete_colors();  ///< evaluates B's forces where its colours wait for them; not while B is due
    /// Will begin, but A must complete its step before.
    bool waits_for(const Simulation& a) const { return begin_ && a.within_step(); }
    /// Has to work before A takes another step.
    bool due(const Simulation& a) const { return !a.within_step() && (begin_ || steps_left_ > 0 || lost(a)); }
    void a_stepped(const Simulation& a);  ///< call it after each step of A
    /// Works for about `budget`; when due. Returns whether B is where A is. Both begin with engines made anew, so that
    /// what an engine remembers of earlier steps makes no difference. Throws what B throws, and is then over.
    bool work(Simulation& a, Seconds budget);

    /// B's present state as frame.other, if any, and what both compute with. Under show_differences() the colour scalar
    /// is log10 of the distance to A's body, in lengths of the scene. `may_reuse` as in Coloring.
    void fill(const Simulation& a, Frame& frame, bool may_reuse = false);
    /// Measures how far B is from A, when enough time has passed or `each`; not while B is due.
    void measure(const Simulation& a, bool each);
    void report(const EnergyWatch& energy_of_a, Status& status);  ///< into status.compare

private:
    void begin(Simulation& a);
    bool lost(const Simulation& a) const;
    void check_finite();
    int parts() const { return settings().dt_power < 0 ? 1 << -settings().dt_power : 1; }
    int group() const { return settings().dt_power > 0 ? 1 << settings().dt_power : 1; }
    const CompareSettings& settings() const { return *wanted_; }

    std::optional<CompareSettings> wanted_;  // in force, or to begin with
    std::optional<Simulation> b_;
    bool begin_ = false, differences_ = false;
    std::uint64_t serial_ = 0, a_moment_ = 0;  // a_moment_: where A was when it was last looked at
    double a_time_ = 0;
    int steps_left_ = 0;   // that B has to take
    int a_pending_ = 0;    // steps of A that B has not begun to follow
    double pending_ = 0;   // their length
    TimingWindow forces_;  // of B
    std::optional<Divergence> divergence_;
    std::chrono::steady_clock::time_point next_measure_{};
    ThinnedSeries<DivergencePoint> history_;
    ThinnedSeries<EnergyPoint> energies_a_, energies_b_;
    EnergyWatch energy_;
    std::optional<double> energy_start_a_, energy_start_b_, energy_time_a_, energy_time_b_;
    Status diagnosed_;  // of B: only what EnergyWatch writes
};

}  // namespace orrery
