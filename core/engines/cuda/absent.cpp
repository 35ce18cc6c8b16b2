// SPDX-License-Identifier: MIT
// What a build without CUDA links in place of core/cuda and core/engines/cuda.
#include "core/base/error.hpp"
#include "core/bodies/make_system.hpp"
#include "core/cuda/info.hpp"
#include "core/engines/menus.hpp"

namespace orrery {

std::span<const EngineEntry> cuda_engines() { return {}; }

const CudaInfo& cuda_info() {
    static const CudaInfo none{.reason = "this build has no CUDA (nvcc was not found, or ORRERY_CUDA is off)"};
    return none;
}

std::unique_ptr<BodySystem> make_device_system(AnyEngine, Law, const Bodies&, Urgency) {
    environment_error(cuda_info().reason);
}

}  // namespace orrery
