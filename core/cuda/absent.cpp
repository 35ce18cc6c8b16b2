// SPDX-License-Identifier: MIT
// What a build without CUDA links in place of core/cuda.
#include "core/cuda/info.hpp"

namespace orrery {

const CudaInfo& cuda_info() {
    static const CudaInfo none{.reason = "this build has no CUDA (nvcc was not found, or ORRERY_CUDA is off)"};
    return none;
}

}  // namespace orrery
