// SPDX-License-Identifier: MIT
#pragma once
// The menus that engines() joins. A build without CUDA links an empty one (cuda/absent.cpp): no #if in callers.
#include <span>
#include <string_view>

#include "core/engines/menu.hpp"

namespace orrery {

std::span<const EngineEntry> cpu_engines();
std::span<const EngineEntry> cuda_engines();
/// Ids that exist only for CUDA, known to every build, so that a build without CUDA can state what they need.
std::span<const std::string_view> cuda_only_engines();

}  // namespace orrery
