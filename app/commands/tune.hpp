// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <functional>
#include <vector>

#include "core/engines/device_tuning.hpp"
#include "core/engines/menu.hpp"

namespace orrery {

/// Seconds of one evaluation of the forces, and its relative RMS error.
struct Timed {
    double seconds = 0, error = 0;
};
/// Evaluates the forces of a scene by a configuration. Throws Error{kUsage} for settings that the device cannot run.
using TimeForces = std::function<Timed(const EngineConfig&)>;

/// True if the engine has settings that tune_engine() can choose.
bool can_tune(const EngineEntry& entry);

/// The fastest settings of an engine for `bodies` bodies: one setting after another, each among the values that a panel
/// offers, until a pass over all of them gains nothing. Settings slower than 0.98 of the time before, and those whose
/// error exceeds the engine's tolerance, do not count. `base` leaves all tunable settings at 0.
TunedEngine tune_engine(const EngineEntry& entry, const EngineConfig& base, std::size_t bodies,
                        const TimeForces& time_forces);

/// Writes the device's file (tuning_path() in app/platform/machine.hpp): `known`, with these rows in place of those for
/// the same engine, precision and number of bodies. Throws Error{kEnvironment} if it cannot be written.
void store_tuning(Backend backend, DeviceTuning known, const std::vector<TunedEngine>& rows);

/// A table of the rows.
std::string tuning_table(Backend backend, const std::vector<TunedEngine>& rows);

}  // namespace orrery
