// SPDX-License-Identifier: MIT
// Linked in place of core/lab/gl in builds without EGL.
#include "core/base/error.hpp"
#include "core/gl/info.hpp"
#include "core/lab/gl/kernels.hpp"

namespace orrery {

std::uint32_t first_wrong_row_on_gl(AnyMap, std::uint32_t) { environment_error(gl_compute_info().reason); }
std::uint32_t first_wrong_utm_on_gl(RootId, std::uint32_t) { environment_error(gl_compute_info().reason); }
std::unique_ptr<LabKernel> gl_dummy(LabSize) { environment_error(gl_compute_info().reason); }
std::unique_ptr<LabKernel> gl_edm(LabSize) { environment_error(gl_compute_info().reason); }
std::unique_ptr<LabKernel> gl_collision(LabSize) { environment_error(gl_compute_info().reason); }
std::unique_ptr<LabKernel> gl_collision_pairs(LabSize) { environment_error(gl_compute_info().reason); }
std::unique_ptr<LabKernel> gl_collision_rows(LabSize) { environment_error(gl_compute_info().reason); }

}  // namespace orrery
