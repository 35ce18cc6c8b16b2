// SPDX-License-Identifier: MIT
#pragma once
// The menus that engines() joins. A build without CUDA links an empty one (cuda/absent.cpp), so callers need no #if.
#include <span>

#include "core/engines/menu.hpp"

namespace orrery {

std::span<const EngineEntry> cpu_engines();
std::span<const EngineEntry> cuda_engines();

}  // namespace orrery
