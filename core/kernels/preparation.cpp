// SPDX-License-Identifier: MIT
#include "core/kernels/preparation.hpp"

#include "core/kernels/compiler.hpp"
#include "core/kernels/cuda_kernel.hpp"
#include "core/kernels/glsl.hpp"

namespace orrery {

void prepare_kernel(const KernelFile& file) {
    if (file.language == KernelLanguage::kGlsl)
        require_glsl_runs(file);
    else if (file.language == KernelLanguage::kCuda)
        tried_cubin(file, "float");
    else
        kernel_library(file);
}

}  // namespace orrery
