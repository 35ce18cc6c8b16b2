// SPDX-License-Identifier: MIT
// Kernels in C++: compiled by the system's compiler into a shared library in the user's cache, tried in a process of
// their own, then loaded.
#pragma once
#include <filesystem>
#include <memory>
#include <string>

#include "core/kernels/kernel_file.hpp"

#define ORRERY_KERNEL_C_ONLY  // its C++ types have the names of our own
#include "core/kernels/kernel.h"
#undef ORRERY_KERNEL_C_ONLY

namespace orrery {

/// Why kernels in C++ cannot be compiled here; empty: they can. $ORRERY_CXX names the compiler, otherwise c++, g++ or
/// clang++ is used.
std::string why_no_kernel_compiler();

/// A loaded kernel in C++. Pointers are null where the kind of the kernel has none.
class KernelLibrary {
public:
    explicit KernelLibrary(const std::filesystem::path& path);  ///< throws Error{kUsage}
    KernelLibrary(const KernelLibrary&) = delete;
    KernelLibrary& operator=(const KernelLibrary&) = delete;
    ~KernelLibrary();

    void (*rows_float)(const orrery_work_float*, std::size_t first, std::size_t last) = nullptr;
    void (*rows_double)(const orrery_work_double*, std::size_t first, std::size_t last) = nullptr;
    void (*grid)(std::uint32_t rows, const double* parameters, std::uint64_t* x, std::uint64_t* y) = nullptr;
    void (*tiles)(std::uint32_t rows, const double* parameters, std::uint64_t first, std::uint64_t last,
                  orrery_tile* out) = nullptr;

private:
    void* handle_;
};

/// The whole source of a kernel: interface, parameters, the file, exported functions. Does not depend on the values of
/// parameters.
std::string kernel_source(const KernelFile& file);

/// Compiles, tries and loads a kernel; what has been done before, also by other processes, is not repeated. Throws
/// Error{kUsage} for a kernel that is not trusted, is not C++, does not compile ("NAME:LINE: error"), or fails its
/// trial, and Error{kEnvironment} if there is no compiler.
std::shared_ptr<const KernelLibrary> kernel_library(const KernelFile& file);

}  // namespace orrery
