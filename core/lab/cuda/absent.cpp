// SPDX-License-Identifier: MIT
// Linked in place of core/lab/cuda in builds without CUDA.
#include "core/base/error.hpp"
#include "core/cuda/info.hpp"
#include "core/lab/exactness.hpp"
#include "core/lab/kernel.hpp"

namespace orrery {

std::uint32_t first_wrong_layer_on_device(bool, double, std::uint32_t) { environment_error(cuda_info().reason); }
std::uint32_t first_wrong_layer4_on_device(Layers4Form, std::uint32_t) { environment_error(cuda_info().reason); }
std::uint32_t first_wrong_row_on_device(AnyMap, std::uint32_t) { environment_error(cuda_info().reason); }
std::uint32_t first_wrong_utm_on_device(RootId, std::uint32_t) { environment_error(cuda_info().reason); }
std::unique_ptr<LabKernel> cuda_automaton(LabSize) { environment_error(cuda_info().reason); }
std::unique_ptr<LabKernel> cuda_dummy(LabSize) { environment_error(cuda_info().reason); }
std::unique_ptr<LabKernel> cuda_edm(LabSize) { environment_error(cuda_info().reason); }
std::unique_ptr<LabKernel> cuda_collision(LabSize) { environment_error(cuda_info().reason); }
std::unique_ptr<LabKernel> cuda_collision_pairs(LabSize) { environment_error(cuda_info().reason); }
std::unique_ptr<LabKernel> cuda_collision_rows(LabSize) { environment_error(cuda_info().reason); }
std::unique_ptr<LabKernel> cuda_quadruplet(LabSize) { environment_error(cuda_info().reason); }
std::unique_ptr<LabKernel> cuda_triplet(LabSize) { environment_error(cuda_info().reason); }

}  // namespace orrery
