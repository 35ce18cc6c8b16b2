// SPDX-License-Identifier: MIT
#pragma once
#include <memory>
#include <vector>

namespace orrery {

/// A series of snapshots that is played in place of a simulation.
struct SeriesStatus {
    bool on = false;
    std::shared_ptr<const std::vector<double>> times =
        std::make_shared<const std::vector<double>>();  ///< of its snapshots, ascending
    double rate = 0;                                    ///< time per step
    bool held = false;                                  ///< under ShowTime::hold: nothing moves
    bool follows = false;                               ///< new snapshots are looked for, and shown
    bool reading = false;                               ///< what is to be shown is not yet read
};

}  // namespace orrery
