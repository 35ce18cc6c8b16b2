// SPDX-License-Identifier: MIT
// Replaces glsl.cpp in a build without EGL.
#include "core/kernels/glsl.hpp"

#include "core/base/error.hpp"
#include "core/gl/info.hpp"

namespace orrery {

void require_glsl_runs(const KernelFile&) { environment_error(gl_compute_info().reason); }
void try_glsl(const KernelFile&) { environment_error(gl_compute_info().reason); }
EvaluatedMap glsl_map(const KernelFile&) { environment_error(gl_compute_info().reason); }

}  // namespace orrery
