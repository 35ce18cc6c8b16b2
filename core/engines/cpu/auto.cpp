// SPDX-License-Identifier: MIT
#include <algorithm>
#include <chrono>

#include "core/engines/auto_engine.hpp"
#include "core/engines/cpu/direct.hpp"
#include "core/engines/cpu/half.hpp"

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

AnyEngine make(const EngineConfig& config) {
    if (config.precision == Precision::kSingle) return std::make_unique<Auto<Host, float, HostTools>>(config);
    return std::make_unique<Auto<Host, double, HostTools>>(config);
}

}  // namespace

EngineEntry auto_engine() {
    const EngineEntry direct = direct_engine(), half = half_engine();
    return {.id = "auto",
            .label = "Automatic",
            .doc = "Tries the other engines on these bodies for a moment and takes the fastest; says what it tried.",
            .backend = Backend::kCpu,
            .tolerance_single = std::max(direct.tolerance_single, half.tolerance_single),
            .tolerance_double = std::max(direct.tolerance_double, half.tolerance_double),
            .max_bodies = std::max(direct.max_bodies, half.max_bodies),
            .tile_knobs = false,
            .tree = true,
            .same_bits = false,
            .deterministic_mode = true,
            .make = make,
            .own_tolerance = auto_tolerance};
}

}  // namespace orrery
