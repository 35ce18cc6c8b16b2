// SPDX-License-Identifier: MIT
#pragma once
#include <memory>
#include <vector>

namespace orrery {

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

}  // namespace orrery
