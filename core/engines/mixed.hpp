// SPDX-License-Identifier: MIT
#pragma once
#include <memory>

#include "core/engines/engine.hpp"
#include "core/engines/menu.hpp"

namespace orrery {

/// Wraps a single-precision engine as an engine for bodies in double. Positions are taken relative to the middle of all
/// bodies and each is split into two floats, the nearest float and the remainder (T. J. Dekker, Numer. Math. 18, 224,
/// 1971): 48 bits, from which `single` computes differences (BodyView::low).
std::unique_ptr<Engine<Host, double>> make_mixed(std::unique_ptr<Engine<Host, float>> single,
                                                 const EngineConfig& config);
/// The same for bodies on a device; defined only in builds with CUDA.
std::unique_ptr<Engine<Device, double>> make_mixed(std::unique_ptr<Engine<Device, float>> single,
                                                   const EngineConfig& config);

/// The same for bodies in OpenGL buffers; defined only in builds with EGL.
std::unique_ptr<Engine<Gl, double>> make_mixed(std::unique_ptr<Engine<Gl, float>> single, const EngineConfig& config);

/// Implements EngineEntry::make for an engine `Kind<Real>` constructed from `args`.
template <template <class> class Kind, class... Args>
AnyEngine make_in_precision(const EngineConfig& config, const Args&... args) {
    if (config.precision == Precision::kDouble) return std::make_unique<Kind<double>>(args...);
    auto single = std::make_unique<Kind<float>>(args...);
    if (config.precision == Precision::kMixed) return make_mixed(std::move(single), config);
    return single;
}

}  // namespace orrery
