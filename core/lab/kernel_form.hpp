// SPDX-License-Identifier: MIT
// The thread map of a kernel file as one more form of the laboratory, on a CPU.
#pragma once
#include <cstdint>
#include <memory>
#include <string>

#include "core/kernels/exactness.hpp"
#include "core/kernels/kernel_file.hpp"
#include "core/lab/kernel.hpp"

namespace orrery {

/// The form that set_kernel_map() adds to a LabKernel; it is not in lab_forms().
inline constexpr FormId kKernelForm{255};

/// A thread map of a kernel file, compiled.
struct KernelForm {
    std::string id, doc;  ///< of its rows: "kernel My map", and its description
    EvaluatedMap map;
};
/// Throws Error{kUsage} unless the kernel is a thread map in C++, which runs on `backend`, and as kernel_map() does.
std::shared_ptr<const KernelForm> kernel_form(const KernelFile& file, Backend backend);

/// Adds kKernelForm to a kernel made by one of cpu_dummy() to cpu_collision_rows(). Throws Error{kUsage} for others.
void set_kernel_map(LabKernel& kernel, std::shared_ptr<const KernelForm> form);

}  // namespace orrery
