// SPDX-License-Identifier: MIT
#pragma once
#include <functional>

#include "core/bodies/bodies.hpp"
#include "core/kernels/kernel_file.hpp"

namespace orrery {

/// `check --kernel`: prints the verdict on a kernel file. Returns the exit code: 1 for a wrong map, and for a force
/// beyond its tolerance. `scene` is not opened for a map.
int check_kernel(const KernelFile& file, const std::function<Scene()>& scene, bool json);

}  // namespace orrery
