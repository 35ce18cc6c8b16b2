// SPDX-License-Identifier: MIT
// What a build without CUDA links in place of core/engines/cuda.
#include "core/engines/joined_menus.hpp"

namespace orrery {

std::span<const EngineEntry> cuda_engines() { return {}; }

}  // namespace orrery
