// SPDX-License-Identifier: MIT
#pragma once
#include "core/kernels/kernel_file.hpp"

namespace orrery {

/// Compiles and tries a kernel of any language, so that engines start with it at once. Throws as kernel_library() or
/// require_glsl_runs() does.
void prepare_kernel(const KernelFile& file);

}  // namespace orrery
