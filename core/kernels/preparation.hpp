// SPDX-License-Identifier: MIT
#pragma once
#include "core/kernels/kernel_file.hpp"

namespace orrery {

/// Compiles and tries a kernel of any language, so that engines start with it at once. Kernels in CUDA in single
/// precision. Throws as kernel_library(), require_glsl_runs() or tried_cubin() does.
void prepare_kernel(const KernelFile& file);

}  // namespace orrery
