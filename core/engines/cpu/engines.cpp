// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <chrono>

#include "core/engines/auto_engine.hpp"
#include "core/engines/auto_plan.hpp"
#include "core/engines/entries.hpp"
#include "core/engines/mixed.hpp"

namespace orrery {
namespace {

struct HostTools {
    class Stopwatch {
    public:
        void start(Queue<Host>) { start_ = Clock::now(); }
        double stop(Queue<Host>) const { return std::chrono::duration<double>(Clock::now() - start_).count(); }

    private:
        using Clock = std::chrono::steady_clock;
        Clock::time_point start_{};
    };
    template <class Real>
    class Accelerations {
    public:
        Accelerations(std::size_t count, Queue<Host>) : zeros_(count) {}
        Vec4<Real>* data() const { return zeros_.data(); }

    private:
        mutable std::vector<Vec4<Real>> zeros_;
    };
};

template <class Real>
using HostAuto = Auto<Host, Real, HostTools>;

AnyEngine make(const EngineConfig& config) {
    EngineConfig inner = config;  // configuration of the candidates
    if (config.precision == Precision::kMixed) inner.precision = Precision::kSingle;
    return make_in_precision<HostAuto>(config, inner);
}

}  // namespace

EngineEntry auto_engine() {
    EngineEntry entry = auto_entry(direct_engine(), half_engine());
    entry.doc = "Briefly tries the other engines on these bodies and uses the fastest; reports what it tried.";
    entry.capabilities.add(Capability::kMixed);
    entry.make = make;
    return entry;
}

std::span<const EngineEntry> cpu_engines() {
#define ORRERY_ENTRY(name) name##_engine(),
    static const std::array menu{ORRERY_CPU_ENGINES(ORRERY_ENTRY)};
    return menu;
}

}  // namespace orrery
