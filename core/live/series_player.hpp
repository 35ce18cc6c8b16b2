// SPDX-License-Identifier: MIT
#pragma once
#include <memory>
#include <optional>

#include "core/live/series_status.hpp"
#include "core/series/series.hpp"

namespace orrery {

class Simulation;

/// Moves a simulation's bodies along a series of snapshots: a step is an interval of the series' time, and what leads
/// from one to the next is the series. Belongs to the simulation's thread.
class SeriesPlayer {
public:
    /// Unless told otherwise the whole series takes so many steps: ten seconds at sixty a second.
    static constexpr double kUsualSteps = 600;
    enum class Moved { kNot, kJumped, kStepped };

    explicit SeriesPlayer(std::unique_ptr<Series> series);

    double rate() const { return rate_; }  ///< time per step, positive
    void set_rate(double rate);            ///< throws Error{kUsage} unless it is positive
    void set_backward(bool backward) { backward_ = backward; }
    /// The next move shows this time, or the nearest in the series, instead of taking a step. The former throws
    /// Error{kUsage} for what is no number.
    void go_to(double time);
    /// To the snapshot this many before (negative) or after a time, or where the last move, not yet done, leads.
    void go_by(double from, int snapshots);
    void go_to_end(bool last);
    void go_to_nearest(double time);  ///< snapshot, unless this is the time of one
    void follow(bool on);             ///< looks for new snapshots; each one that comes is gone to

    /// Takes a step, or goes where it was told to, as far as the bodies are read within `patience`: kNot, and they are
    /// still being read. A step beyond an end stays there.
    Moved move(Simulation& simulation, Series::Seconds patience);
    bool under_way() const { return aim_.has_value(); }  ///< the last move is not done
    bool at_end(double time) const;                      ///< in the direction of play
    /// The snapshot that the moves have come to or gone past last; null before the first move.
    const Interpolation::Moment& reached() const { return reached_; }

    /// Goes to the end where the series has grown and is followed. Returns what was noticed of its files.
    std::vector<std::string> look();
    void tell(SeriesStatus& status) const;

private:
    struct Aim {
        double time;
        int steps;  ///< that lead there: 0 for a jump
    };

    std::unique_ptr<Series> series_;
    std::shared_ptr<const std::vector<double>> times_;
    double rate_ = 1;
    bool backward_ = false, follows_ = false;
    std::optional<Aim> aim_;
    Interpolation::Moment reached_;
};

}  // namespace orrery
