// SPDX-License-Identifier: MIT
// Kernels in CUDA C++: compiled by NVRTC in a separate process into the user's cache, tried there, then loaded.
#pragma once
#include <string>
#include <vector>

#include "core/kernels/kernel_file.hpp"

namespace orrery {

/// Threads of a block of the loop around a force of a pair, and the rows per thread of its kernel orrery_pulls, which
/// skips the potential; orrery_pairs_N computes it for N rows per thread.
inline constexpr unsigned kCudaPairThreads = 64;
constexpr unsigned cuda_pull_rows(bool single) { return single ? 4 : 2; }

/// The whole source of a kernel; independent of the values of parameters. `real`: float or double.
std::string cuda_source(const KernelFile& file, const std::string& real);

/// The binary of a kernel for a compute capability such as "90". Throws Error{kUsage} for a kernel that is not trusted
/// or does not compile ("NAME:LINE: error"), and Error{kEnvironment} without NVRTC.
std::string cuda_cubin(const KernelFile& file, const std::string& real, const std::string& capability);

/// The same for the first device, where it has also passed its trial. Throws Error{kUsage} with the reason of a
/// failure.
std::string tried_cubin(const KernelFile& file, const std::string& real);

/// Seconds after which SIGALRM ends a trial whose binary is there.
inline constexpr unsigned kCudaTrialSeconds = 10;

}  // namespace orrery
