// SPDX-License-Identifier: MIT
// Settings of engines that were the fastest on one device, measured by `orrery bench --tune`. They replace the built-in
// fits, which were made on other machines, for settings that a configuration leaves at 0.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/engines/config.hpp"

namespace orrery {

/// The fastest settings of one engine for a number of bodies.
struct TunedEngine {
    std::string engine;
    Precision precision = Precision::kSingle;
    std::size_t bodies = 0;
    /// Ids of engine_settings() and their values; empty: the built-in choice is the fastest.
    std::vector<std::pair<std::string, std::int64_t>> settings;
    double seconds = 0, default_seconds = 0;  ///< of one evaluation, with these settings and with the built-in ones

    friend bool operator==(const TunedEngine&, const TunedEngine&) = default;
};

/// Measured settings of one device.
struct DeviceTuning {
    std::string device;  ///< as `orrery info` prints it
    std::vector<TunedEngine> engines;

    friend bool operator==(const DeviceTuning&, const DeviceTuning&) = default;
};

/// Ids of the settings that can be tuned: those where 0 means that the engine chooses. `order` depends on the accuracy,
/// so it counts only for kDefaultAccuracy.
std::span<const std::string_view> tunable_settings();

/// The text of a file with these measurements, and its inverse, which skips blank lines and comments. `name` is the
/// file's name for Error{kUsage}, which read_tuning() throws for a line that it cannot parse.
std::string text_of(const DeviceTuning& tuning);
DeviceTuning read_tuning(std::string_view text, std::string_view name);

/// `asked` with the tuned settings for the nearest number of bodies, at most a factor of 4 away, in place of its zeros;
/// unchanged if there are none. A shape of tiles that is given in part stays as it is.
EngineConfig with_tuning(const DeviceTuning& tuning, const EngineConfig& asked, std::size_t bodies);
/// The fastest engine that was measured for this precision near this number of bodies, among `engines`; empty if fewer
/// than two of them were measured.
std::string fastest_tuned(const DeviceTuning& tuning, Precision precision, std::size_t bodies,
                          std::span<const std::string_view> engines);

/// Sets where tuning_of() gets the measurements for a backend; without a source there are none. Call it before the
/// first simulation.
void set_tuning_source(DeviceTuning (*source)(Backend));
/// The measurements for a backend, read at the first call.
const DeviceTuning& tuning_of(Backend backend);

}  // namespace orrery
