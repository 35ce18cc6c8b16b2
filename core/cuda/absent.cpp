// SPDX-License-Identifier: MIT
// Replaces core/cuda in a build without CUDA.
#include "core/cuda/info.hpp"

namespace orrery {

const CudaInfo& cuda_info() {
    static const CudaInfo none{.reason = "this build has no CUDA (nvcc or a GPU was not found, or ORRERY_CUDA is OFF)"};
    return none;
}

}  // namespace orrery
