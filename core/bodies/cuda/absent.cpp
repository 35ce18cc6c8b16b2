// SPDX-License-Identifier: MIT
// Linked in place of core/bodies/cuda in builds without CUDA.
#include "core/base/error.hpp"
#include "core/bodies/engine_system.hpp"
#include "core/bodies/neighbours_device.hpp"
#include "core/bodies/owned/owned_system.hpp"
#include "core/cuda/info.hpp"

namespace orrery {

std::unique_ptr<BodySystem> make_device_system(AnyEngine, const EngineEntry&, const BodySource&, Precision, Urgency,
                                               Ranks*) {
    environment_error(cuda_info().reason);
}

std::unique_ptr<BodySystem> make_owned_device_system(AnyEngine, const EngineConfig&, const EngineEntry&,
                                                     const BodySource&, Ranks&) {
    environment_error(cuda_info().reason);
}

DeviceDistances neighbours_on_device(std::span<const Vec4f>, int, int, std::size_t) {
    environment_error(cuda_info().reason);
}

}  // namespace orrery
