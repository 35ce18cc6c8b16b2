// SPDX-License-Identifier: MIT
// Replaces core/engines/cuda in a build without CUDA.
#include "core/base/error.hpp"
#include "core/cuda/info.hpp"
#include "core/engines/ceilings.hpp"
#include "core/engines/entries.hpp"

namespace orrery {

std::span<const EngineEntry> cuda_engines() { return {}; }

template <class Real>
Ceilings measure_cuda_ceilings() {
    environment_error(cuda_info().reason);
}
template Ceilings measure_cuda_ceilings<float>();
template Ceilings measure_cuda_ceilings<double>();

}  // namespace orrery
