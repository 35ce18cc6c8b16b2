// SPDX-License-Identifier: MIT
#include "core/cuda/check.hpp"

#include <fmt/format.h>

#include "core/base/error.hpp"

namespace orrery::cuda {
namespace {

std::size_t free_memory() {
    std::size_t free = 0, total = 0;
    check(cudaMemGetInfo(&free, &total), "querying free memory");
    return free;
}

}  // namespace

void fail(cudaError_t status, std::string_view what, std::source_location at) {
    cudaGetLastError();  // clear it, so that the next call reports its own error
    environment_error(fmt::format("CUDA: {} ({}:{}): {}", what, at.file_name(), at.line(), cudaGetErrorString(status)));
}

void out_of_memory(std::size_t bytes) {
    cudaGetLastError();
    environment_error(fmt::format("the GPU has {} bytes free, but {} are needed at once", free_memory(), bytes));
}

void require_memory(std::size_t bodies, std::size_t bytes) {
    if (const std::size_t free = free_memory(); bytes > free)
        environment_error(fmt::format("{} bodies need {} bytes on the GPU, but {} are free", bodies, bytes, free));
}

}  // namespace orrery::cuda
