// SPDX-License-Identifier: MIT
#pragma once
#include <span>
#include <string_view>

#include "core/engines/engine.hpp"

namespace orrery {

// The menus combined by engines(). A build without CUDA links an empty one (cuda/absent.cpp): no #if in callers.
std::span<const EngineEntry> cpu_engines();
std::span<const EngineEntry> cuda_engines();
/// Ids that exist only for CUDA, known to every build, so that a build without CUDA can state what they need.
std::span<const std::string_view> cuda_only_engines();

/// The first entry with this id. Throws Error{kUsage} for an id that no build has (listing the menu),
/// Error{kEnvironment} for one that exists only in builds with CUDA.
const EngineEntry& any_engine(std::string_view id);
/// The best available backend of this engine. Throws as any_engine() does.
Backend default_backend(std::string_view engine);

}  // namespace orrery
