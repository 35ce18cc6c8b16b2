// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>

#include "core/cuda/device_buffer.hpp"
#include "core/cuda/stream.hpp"
#include "core/engines/auto_engine.hpp"
#include "core/engines/auto_plan.hpp"
#include "core/engines/entries.hpp"
#include "core/engines/mixed.hpp"

namespace orrery {
namespace {

struct DeviceTools {
    class Stopwatch {
    public:
        void start(Queue<Device> queue) const { start_.record(queue.stream); }
        double stop(Queue<Device> queue) const {
            stop_.record(queue.stream);
            return stop_.seconds_since(start_);
        }

    private:
        cuda::Event start_, stop_;
    };
    template <class Real>
    class Accelerations {
    public:
        Accelerations(std::size_t count, Queue<Device> queue) : zeros_{count} {
            cuda::check(cudaMemsetAsync(zeros_.data(), 0, count * sizeof(Vec4<Real>), queue.stream), "clearing");
        }
        Vec4<Real>* data() { return zeros_.data(); }

    private:
        cuda::DeviceBuffer<Vec4<Real>> zeros_;
    };
};

template <class Real>
using DeviceAuto = Auto<Device, Real, DeviceTools>;

AnyEngine make(const EngineConfig& config) {
    EngineConfig inner = config;  // configuration of the candidates
    if (config.precision == Precision::kMixed) inner.precision = Precision::kSingle;
    return make_in_precision<DeviceAuto>(config, inner);
}

}  // namespace

EngineEntry cuda_auto_engine() {
    EngineEntry entry = auto_entry(cuda_direct_engine(), cuda_half_engine());
    entry.doc = "Briefly tries the other engines and maps on these bodies and uses the fastest; reports what it tried.";
    entry.capabilities.add(Capability::kMixed);
    entry.make = make;
    return entry;
}

std::span<const EngineEntry> cuda_engines() {
#define ORRERY_ENTRY(name) name##_engine(),
    static const std::array menu{ORRERY_CUDA_ENGINES(ORRERY_ENTRY)};
    return menu;
}

}  // namespace orrery
