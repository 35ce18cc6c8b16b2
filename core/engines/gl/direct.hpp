// SPDX-License-Identifier: MIT
#pragma once
#include "core/engines/menu.hpp"
#include "core/kernels/kernel_file.hpp"

namespace orrery {

/// Engine `direct` with the force of a kernel of kind pair, which has passed its trial, in place of a law.
AnyEngine make_gl_direct(const EngineConfig& config, const KernelFile& kernel);

}  // namespace orrery
