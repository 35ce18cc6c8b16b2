// SPDX-License-Identifier: MIT
#pragma once
#include <chrono>
#include <optional>
#include <string>

#include "core/base/error.hpp"
#include "core/simulation/simulation.hpp"

namespace orrery {

/// Copies of states between two steps, for simulations on a device that its driver may reset (Backend::kGl; for others
/// nothing is kept). Copying takes at most a twentieth of the time.
class KeptState {
public:
    /// Call between two steps.
    void keep(const Simulation& simulation);
    /// Call after the bodies were changed other than by steps.
    void forget() { kept_.reset(); }
    /// Restores the state that was kept last, on the device as it is opened again. Returns a line for the user. Throws
    /// `lost` if no state was kept, and Error if the device cannot be opened.
    std::string restore(Simulation& simulation, const DeviceLost& lost) const;

private:
    using Clock = std::chrono::steady_clock;
    std::optional<Snapshot> kept_;
    const BodySystem* system_ = nullptr;  // of the copy
    Clock::time_point next_{};
};

}  // namespace orrery
