// SPDX-License-Identifier: MIT
// Replaces core/engines/cuda in a build without CUDA.
#include "core/engines/joined_menus.hpp"

namespace orrery {

std::span<const EngineEntry> cuda_engines() { return {}; }

}  // namespace orrery
