// SPDX-License-Identifier: MIT
#pragma once
#include "core/kernels/exactness.hpp"
#include "core/kernels/kernel_file.hpp"

namespace orrery {

/// The map of a kernel in C++ or GLSL. Throws as kernel_library() or require_glsl_runs() does, and Error{kUsage} for
/// another kind.
EvaluatedMap kernel_map(const KernelFile& file);

}  // namespace orrery
