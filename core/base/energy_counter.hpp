// SPDX-License-Identifier: MIT
#pragma once
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>

namespace orrery {

/// Energy used by a part of this machine.
class EnergyCounter {
public:
    virtual ~EnergyCounter() = default;
    /// Energy since the counter was opened; empty if it cannot be read. Counters of processors wrap around within
    /// minutes, so call it at least once a minute.
    virtual std::optional<std::uint64_t> microjoules() = 0;
};

/// A counter, or the reason why there is none.
struct EnergySource {
    std::unique_ptr<EnergyCounter> counter;  ///< null: none
    std::string name;                        ///< "RAPL, 2 packages", "NVML, energy counter"; empty: none
    std::string why_not;                     ///< empty: there is a counter
};

/// The sum over the processor packages of Intel and AMD processors, by the kernel's powercap interface.
EnergySource open_rapl_counter(const std::filesystem::path& folder = "/sys/class/powercap");

/// The functions of NVML in use, as nvml.h declares them. They return 0 if they succeed.
struct Nvml {
    using Device = void*;
    std::function<int()> init;
    std::function<int(const char* bus, Device*)> device_by_bus;
    std::function<int(Device, unsigned long long*)> millijoules;  ///< since the driver was loaded
    std::function<int(Device, unsigned*)> milliwatts;
    std::function<const char*(int)> error_text;
};

/// The board of the GPU with this PCI bus id, "0000:65:00.0". Devices without an energy counter report their power,
/// which is integrated over the times of the calls by `seconds`, the trapezoidal rule.
EnergySource open_nvml_counter(const Nvml& nvml, const std::string& bus, std::function<double()> seconds);
/// The same with the driver's libnvidia-ml.so.1, which is loaded now.
EnergySource open_nvml_counter(const std::string& bus);

/// A counter at a moment.
struct EnergyReading {
    std::uint64_t microjoules = 0;  ///< since the counter was opened
    double seconds = 0;             ///< time of the reading, since the monitor was made
};
/// Mean power between two readings in watts.
double watts(const EnergyReading& from, const EnergyReading& to);

/// Reads a counter periodically on its own thread.
class EnergyCounterMonitor {
public:
    struct State {
        bool opened = false;         ///< the counter was opened, or there is none
        std::string name, why_not;   ///< see EnergySource; `why_not` is also set once reading fails
        EnergyReading last, before;  ///< the two last readings at which the counter had changed
        std::uint64_t changes = 0;   ///< number of such readings; `before` is valid from 2 on
    };

    /// `open` is called on the thread, because loading a driver's library takes time.
    EnergyCounterMonitor(std::function<EnergySource()> open, std::chrono::milliseconds period);
    EnergyCounterMonitor(const EnergyCounterMonitor&) = delete;
    EnergyCounterMonitor& operator=(const EnergyCounterMonitor&) = delete;

    State state() const;

private:
    void run(const std::stop_token& stop, const std::function<EnergySource()>& open, std::chrono::milliseconds period);

    mutable std::mutex mutex_;
    State state_;
    std::jthread thread_;  // last member: it uses all of the above
};

}  // namespace orrery
