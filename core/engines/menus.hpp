// SPDX-License-Identifier: MIT
#pragma once
#include <span>

#include "core/engines/engine.hpp"

namespace orrery {

// The menus that engines() joins. A build without CUDA links an empty one (cuda/absent.cpp): no #if in callers.
std::span<const EngineEntry> cpu_engines();
std::span<const EngineEntry> cuda_engines();

}  // namespace orrery
