// SPDX-License-Identifier: MIT
#pragma once
#include <chrono>
#include <cstdint>

#include "core/diagnostics/background.hpp"

namespace orrery {

class Simulation;
struct Status;

/// Has energy and momentum of a running simulation diagnosed in the background, now and then, and puts them into its
/// status. Belongs to the simulation's thread; no call waits.
class EnergyWatch {
public:
    /// Forgets what was: other bodies, or another law. Says in `status` where there will be no energy.
    void restart(const Simulation& simulation, Status& status);
    /// Collects an energy that is done and asks for the next, at a boundary of steps.
    void take(const Simulation& simulation, Status& status);
    double time() const { return time_; }  ///< of the scene, of the last energy

private:
    BackgroundDiagnostics energies_;
    std::chrono::steady_clock::time_point next_{};
    std::uint64_t serial_ = 0, moment_ = 0, asked_ = 0;
    std::int64_t asked_step_ = 0;
    std::chrono::steady_clock::time_point asked_at_{};
    double time_ = 0, asked_time_ = 0;
    bool on_ = true;
};

}  // namespace orrery
