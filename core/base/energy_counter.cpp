// SPDX-License-Identifier: MIT
#include "core/base/energy_counter.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <condition_variable>
#include <cstring>
#include <fstream>
#include <system_error>
#include <utility>
#include <vector>

#include "core/base/clock.hpp"

namespace orrery {
namespace {

EnergySource no_counter(std::string why) { return {.counter = nullptr, .name = {}, .why_not = std::move(why)}; }

std::optional<std::uint64_t> reading_of(const std::filesystem::path& file) {
    std::ifstream in{file};
    std::uint64_t value = 0;
    return in >> value ? std::optional{value} : std::nullopt;
}

/// The energy of one processor package.
struct RaplDomain {
    std::filesystem::path file;
    std::uint64_t last = 0;   // microjoules, as last read
    std::uint64_t range = 0;  // the counter returns to 0 after this value
};

class RaplCounter : public EnergyCounter {
public:
    explicit RaplCounter(std::vector<RaplDomain> domains) : domains_{std::move(domains)} {}
    std::optional<std::uint64_t> microjoules() override {
        for (RaplDomain& domain : domains_) {
            const auto now = reading_of(domain.file);
            if (!now) return std::nullopt;
            sum_ += *now >= domain.last ? *now - domain.last : domain.range - domain.last + *now;
            domain.last = *now;
        }
        return sum_;
    }

private:
    std::vector<RaplDomain> domains_;
    std::uint64_t sum_ = 0;
};

class NvmlEnergy : public EnergyCounter {
public:
    NvmlEnergy(Nvml nvml, Nvml::Device device, unsigned long long first)
        : nvml_{std::move(nvml)}, device_{device}, last_{first} {}
    std::optional<std::uint64_t> microjoules() override {
        unsigned long long now = 0;
        if (nvml_.millijoules(device_, &now) != 0) return std::nullopt;
        sum_ += now >= last_ ? now - last_ : now;  // begins at 0 when the driver is loaded again
        last_ = now;
        return 1000 * sum_;
    }

private:
    Nvml nvml_;
    Nvml::Device device_;
    unsigned long long last_;
    std::uint64_t sum_ = 0;
};

class NvmlPower : public EnergyCounter {
public:
    NvmlPower(Nvml nvml, Nvml::Device device, unsigned first, std::function<double()> seconds)
        : nvml_{std::move(nvml)}, device_{device}, seconds_{std::move(seconds)}, milliwatts_{first}, at_{seconds_()} {}
    std::optional<std::uint64_t> microjoules() override {
        unsigned now = 0;
        if (nvml_.milliwatts(device_, &now) != 0) return std::nullopt;
        const double at = seconds_();
        sum_ += 1000 * 0.5 * (static_cast<double>(milliwatts_) + static_cast<double>(now)) * (at - at_);
        milliwatts_ = now, at_ = at;
        return static_cast<std::uint64_t>(sum_);
    }

private:
    Nvml nvml_;
    Nvml::Device device_;
    std::function<double()> seconds_;
    unsigned milliwatts_;
    double at_, sum_ = 0;
};

/// The driver's library; `why_not` is empty if it has all functions.
struct NvmlLibrary {
    Nvml functions;
    std::string why_not;

    NvmlLibrary() {
        void* library = dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL);  // never closed, as the driver's others
        if (!library) {
            why_not = fmt::format("NVML cannot be loaded: {}", dlerror());
            return;
        }
        find<int()>(library, functions.init, "nvmlInit_v2");
        find<int(const char*, Nvml::Device*)>(library, functions.device_by_bus, "nvmlDeviceGetHandleByPciBusId_v2");
        find<int(Nvml::Device, unsigned*)>(library, functions.milliwatts, "nvmlDeviceGetPowerUsage");
        find<const char*(int)>(library, functions.error_text, "nvmlErrorString");
        find<int(Nvml::Device, unsigned long long*)>(library, functions.millijoules,
                                                     "nvmlDeviceGetTotalEnergyConsumption");
    }

private:
    template <class Function>
    void find(void* library, std::function<Function>& function, const char* name) {
        if (void* found = dlsym(library, name))
            function = reinterpret_cast<Function*>(found);
        else
            why_not = fmt::format("libnvidia-ml.so.1 has no {}", name);
    }
};

}  // namespace

EnergySource open_rapl_counter(const std::filesystem::path& folder) {
    std::vector<RaplDomain> domains;
    std::error_code failed;
    for (const auto& entry : std::filesystem::directory_iterator{folder, failed}) {
        // "intel-rapl:0" is a package, on AMD too; "intel-rapl:0:0" is a part of it, "intel-rapl-mmio:0" the same
        // again.
        const std::string zone = entry.path().filename();
        if (!zone.starts_with("intel-rapl:") || std::ranges::count(zone, ':') != 1) continue;
        std::string name;
        std::ifstream{entry.path() / "name"} >> name;
        if (name.starts_with("package")) domains.push_back({.file = entry.path() / "energy_uj"});
    }
    if (domains.empty())
        return no_counter(
            fmt::format("{} has no RAPL counter of a processor package (virtual machines have none)", folder.string()));
    std::ranges::sort(domains, {}, &RaplDomain::file);
    for (RaplDomain& domain : domains) {
        errno = 0;
        const auto now = reading_of(domain.file);
        if (!now)
            return no_counter(fmt::format("{} cannot be read: {} (Linux lets only root read it)", domain.file.string(),
                                          errno != 0 ? std::strerror(errno) : "not a number"));
        const auto range = reading_of(domain.file.parent_path() / "max_energy_range_uj");
        if (!range) return no_counter(fmt::format("{} has no max_energy_range_uj", domain.file.parent_path().string()));
        domain.last = *now, domain.range = *range;
    }
    std::string name = domains.size() == 1 ? "RAPL, 1 package" : fmt::format("RAPL, {} packages", domains.size());
    return {.counter = std::make_unique<RaplCounter>(std::move(domains)), .name = std::move(name), .why_not = {}};
}

EnergySource open_nvml_counter(const Nvml& nvml, const std::string& bus, std::function<double()> seconds) {
    const auto failure = [&](const char* what, int code) {
        return no_counter(fmt::format("NVML: {}: {}", what, nvml.error_text(code)));
    };
    if (const int code = nvml.init(); code != 0) return failure("initialization", code);
    Nvml::Device device = nullptr;
    if (const int code = nvml.device_by_bus(bus.c_str(), &device); code != 0)
        return failure(fmt::format("device {}", bus).c_str(), code);
    unsigned long long energy = 0;
    if (nvml.millijoules(device, &energy) == 0)
        return {.counter = std::make_unique<NvmlEnergy>(nvml, device, energy),
                .name = "NVML, energy counter",
                .why_not = {}};
    unsigned power = 0;
    if (const int code = nvml.milliwatts(device, &power); code != 0) return failure("power", code);
    return {.counter = std::make_unique<NvmlPower>(nvml, device, power, std::move(seconds)),
            .name = "NVML, integrated power",
            .why_not = {}};
}

EnergySource open_nvml_counter(const std::string& bus) {
    static const NvmlLibrary library;
    if (!library.why_not.empty()) return no_counter(library.why_not);
    return open_nvml_counter(library.functions, bus, [clock = TimeTaken{}] { return clock.seconds(); });
}

double watts(const EnergyReading& from, const EnergyReading& to) {
    return 1e-6 * static_cast<double>(to.microjoules - from.microjoules) / (to.seconds - from.seconds);
}

EnergyCounterMonitor::EnergyCounterMonitor(std::function<EnergySource()> open, std::chrono::milliseconds period)
    : thread_{[this, open = std::move(open), period](const std::stop_token& stop) { run(stop, open, period); }} {}

EnergyCounterMonitor::State EnergyCounterMonitor::state() const {
    const std::lock_guard lock{mutex_};
    return state_;
}

void EnergyCounterMonitor::run(const std::stop_token& stop, const std::function<EnergySource()>& open,
                               std::chrono::milliseconds period) {
    const EnergySource source = open();
    const TimeTaken clock;
    std::condition_variable_any never;
    std::unique_lock lock{mutex_};
    state_.opened = true, state_.name = source.name, state_.why_not = source.why_not;
    while (source.counter && !stop.stop_requested()) {
        lock.unlock();
        const auto now = source.counter->microjoules();
        const double seconds = clock.seconds();
        lock.lock();
        if (!now) {
            state_.why_not = fmt::format("{}: the counter cannot be read any more", source.name);
            return;
        }
        if (state_.changes == 0 || *now != state_.last.microjoules) {
            state_.before = std::exchange(state_.last, {*now, seconds});
            ++state_.changes;
        }
        never.wait_for(lock, stop, period, [] { return false; });
    }
}

}  // namespace orrery
