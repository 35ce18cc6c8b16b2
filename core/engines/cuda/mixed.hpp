// SPDX-License-Identifier: MIT
#pragma once
#include <utility>

#include "core/engines/engine.hpp"

namespace orrery::cuda {

/// What core/engines/cpu/mixed.hpp does on the host.
std::unique_ptr<Engine<Device, double>> make_mixed(std::unique_ptr<Engine<Device, float>> single);

/// What EngineEntry::make does where `Kind<Real>` is the engine and `args` make it.
template <template <class> class Kind, class... Args>
AnyEngine make_in_precision(const EngineConfig& config, const Args&... args) {
    if (config.precision == Precision::kDouble) return std::make_unique<Kind<double>>(args...);
    std::unique_ptr<Engine<Device, float>> single = std::make_unique<Kind<float>>(args...);
    if (config.precision == Precision::kMixed) return make_mixed(std::move(single));
    return single;
}

}  // namespace orrery::cuda
