// SPDX-License-Identifier: MIT
#pragma once
#include <cuda_runtime_api.h>

#include <cstddef>
#include <source_location>
#include <string_view>

namespace orrery::cuda {

// Defined in info.cpp: nvcc does not compile fmt's format strings.
[[noreturn]] void fail(cudaError_t status, std::string_view what, std::source_location at);
[[noreturn]] void out_of_memory(std::size_t bytes);

/// Throws Error{kEnvironment} with the operation, its source location, and the runtime's message.
inline void check(cudaError_t status, std::string_view what,
                  std::source_location at = std::source_location::current()) {
    if (status != cudaSuccess) fail(status, what, at);
}

/// Throws Error{kEnvironment}, with the bytes needed and free, if the allocation would not fit; call it before
/// allocating.
void require_memory(std::size_t bodies, std::size_t bytes);

}  // namespace orrery::cuda
