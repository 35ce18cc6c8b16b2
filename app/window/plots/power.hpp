// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "app/window/features.hpp"
#include "app/window/plots/roofline.hpp"
#include "app/window/window_core.hpp"
#include "core/base/energy_counter.hpp"
#include "core/live/status.hpp"

namespace orrery {

/// Power of the device that evaluates the forces, as the page History shows it. In UiState::own.
struct PowerState {
    std::string counter;  ///< see EnergySource::name
    std::string why_not;  ///< why there is no power; empty: it is known, or not yet
    std::optional<double> watts;
    std::optional<double> bodies_per_joule;  ///< accelerations computed per joule; empty while paused or compared
};

/// Relates the energy to the accelerations computed meanwhile.
class PowerMeter {
public:
    /// Call once per frame, with the counter of the engine's device.
    void add(const EnergyCounterMonitor::State& counter, const Status& status);
    const PowerState& state() const { return state_; }

private:
    struct Mark {
        EnergyReading reading;
        std::uint64_t forces = 0, scene = 0;
        Backend backend = Backend::kCpu;
    };

    PowerState state_;
    std::optional<Mark> from_;  // beginning of the current average
    std::uint64_t changes_ = 0;
};

/// Reads the counter of the engine's device once a second from the first time that the page History is open, and
/// measures the device's ceilings on request.
class PowerControl final : public Feature {
public:
    explicit PowerControl(WindowCore& core) : core_{core} {}
    void update() override;

private:
    WindowCore& core_;
    PowerMeter meter_;
    RooflineMonitor roofline_;
    std::array<std::unique_ptr<EnergyCounterMonitor>, 3> monitors_;  // by backend; null: not needed yet
};

}  // namespace orrery
