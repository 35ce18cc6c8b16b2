// SPDX-License-Identifier: MIT
#pragma once
#include <memory>
#include <optional>

#include "core/series/series.hpp"

namespace orrery {

class Simulation;
struct SeriesStatus;

/// Moves a simulation's bodies along a series of snapshots: a step is an interval of the series' time, and the series
/// provides the motion in between. Belongs to the simulation's thread.
class SeriesPlayer {
public:
    /// By default the whole series takes this many steps: ten seconds at sixty per second.
    static constexpr double kDefaultSteps = 600;
    enum class Moved { kNot, kJumped, kStepped };

    explicit SeriesPlayer(std::unique_ptr<Series> series);

    double rate() const { return rate_; }  ///< time per step, positive
    void set_rate(double rate);            ///< throws Error{kUsage} unless it is positive
    void set_backward(bool backward) { backward_ = backward; }
    /// The next move shows this time, or the nearest in the series, instead of taking a step. Throws Error{kUsage}
    /// unless `time` is finite.
    void go_to(double time);
    /// Goes to the snapshot this many before (negative) or after a time, or after the target of a pending move.
    void go_by(double from, int snapshots);
    void go_to_end(bool last);
    void go_to_nearest(double time);  ///< goes to the nearest snapshot, unless this is the time of one
    void follow(bool on);             ///< looks for new snapshots, and shows each one that appears

    /// Takes a step or makes the pending jump. Returns kNot if the bodies were not read within `patience` and are still
    /// being read. A step beyond an end stays there.
    Moved move(Simulation& simulation, Series::Seconds patience);
    bool under_way() const { return aim_.has_value(); }  ///< a move is pending
    bool at_end(double time) const;                      ///< in the direction of play
    /// The last snapshot reached or passed; null before the first move.
    const Interpolation::Moment& reached() const { return reached_; }

    /// Goes to the end if the series has grown and is being followed. Returns new remarks about its files.
    std::vector<std::string> look();
    void report_to(SeriesStatus& status) const;

private:
    struct Aim {
        double time;
        int steps;  ///< number of steps; 0 for a jump
    };

    std::unique_ptr<Series> series_;
    std::shared_ptr<const std::vector<double>> times_;
    double rate_ = 1;
    bool backward_ = false, follows_ = false;
    std::optional<Aim> aim_;
    Interpolation::Moment reached_;
};

}  // namespace orrery
