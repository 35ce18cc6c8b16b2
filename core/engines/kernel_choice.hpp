// SPDX-License-Identifier: MIT
#pragma once
#include <string>

#include "core/engines/menu.hpp"
#include "core/kernels/kernel_file.hpp"

namespace orrery {

/// The engine that runs a kernel by default: `kernel`, or `half` for a thread map, on the backend of its language.
const EngineEntry& engine_of(const KernelFile& file);
/// True if this engine runs kernels of this kind and language.
bool runs(const EngineEntry& entry, const KernelFile& file);
/// The title of the kernel that this configuration runs; empty: none.
std::string kernel_in_force(const EngineConfig& config);
/// True if it runs a kernel with its own law, whose energy is unknown: that of the scene's law is not conserved.
bool has_own_law(const EngineConfig& config);
/// Throws Error{kUsage} if `config` has a kernel that its engine reads but does not run, or that is no kernel file.
/// Engines without kernels ignore it, and `half` ignores a force.
void require_kernel_runs(const EngineEntry& entry, const EngineConfig& config);

}  // namespace orrery
