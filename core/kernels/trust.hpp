// SPDX-License-Identifier: MIT
// Kernels that may run. Scenes, sessions, checkpoints and uploads contain kernels too, and a kernel in C++ can do all
// that the user's programs can do.
#pragma once
#include "core/kernels/kernel_file.hpp"

namespace orrery {

/// Permits this code, with any values of its parameters, to be run on this machine, from now on and in later processes.
/// Call only for a text that the user gave as a kernel, not for one found in a file.
void trust_kernel(const KernelFile& file);
/// Permits all kernels in this process: `--allow-kernels`.
void trust_all_kernels();
/// Throws Error{kUsage} unless the kernel is trusted or is an example.
void require_trusted(const KernelFile& file);

}  // namespace orrery
