// SPDX-License-Identifier: MIT
#pragma once
#include "core/kernels/exactness.hpp"
#include "core/kernels/kernel_file.hpp"

namespace orrery {

/// Compiles and tries a kernel of any language, so that engines start with it at once. Kernels in CUDA in single
/// precision. Throws as kernel_library(), require_glsl_runs() or tried_cubin() does.
void prepare_kernel(const KernelFile& file);

/// The map of a kernel in C++ or GLSL. Throws as kernel_library() or require_glsl_runs() does, and Error{kUsage} for
/// another kind.
EvaluatedMap kernel_map(const KernelFile& file);

}  // namespace orrery
