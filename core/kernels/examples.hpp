// SPDX-License-Identifier: MIT
#pragma once
#include <span>
#include <string_view>

#include "core/base/backend.hpp"
#include "core/kernels/kernel_file.hpp"

namespace orrery {

/// A kernel file that is shipped: assets/kernels.
struct ExampleKernel {
    std::string_view name;  ///< "newton.cpp"
    std::string_view text;
};

std::span<const ExampleKernel> example_kernels();
/// The text of an example; empty if there is none of this name.
std::string_view example_kernel(std::string_view name);
/// The kernel that engine `kernel` runs on this backend if none is chosen.
std::string_view default_kernel(Backend backend);
/// The force of a kernel's text, or of default_kernel() if that is empty. Throws Error{kUsage} for a thread map, which
/// engine `half` takes.
KernelFile force_kernel(std::string_view text, Backend backend);

}  // namespace orrery
