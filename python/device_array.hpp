// SPDX-License-Identifier: MIT
#pragma once
#include <memory>

#include "core/bodies/body_system.hpp"
#include "python/bindings.hpp"

namespace orrery::python {

/// `orrery.DeviceArray`: numbers of bodies in the memory of CUDA's device 0, for other packages through
/// __cuda_array_interface__ (version 3) or DLPack (dmlc/dlpack, version 0 of its ABI). Compiles without CUDA.
struct DeviceArray {
    const void* data = nullptr;
    std::size_t count = 0;
    Precision precision = Precision::kSingle;
    bool rows = true;  ///< of shape (N, 3); otherwise (N,)
    std::shared_ptr<const BodySystem> owner;
    std::size_t column = 0;  ///< in BodyState: 0 positions and masses, 1 velocities, 2 accelerations
};

}  // namespace orrery::python
