// SPDX-License-Identifier: MIT
// Replaces core/engines/cuda in a build without CUDA.
#include "core/engines/entries.hpp"

namespace orrery {

std::span<const EngineEntry> cuda_engines() { return {}; }

}  // namespace orrery
