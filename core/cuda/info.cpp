// SPDX-License-Identifier: MIT
#include "core/cuda/info.hpp"

#include <cuda_runtime_api.h>
#include <fmt/format.h>

#include "core/base/error.hpp"
#include "core/cuda/stream.hpp"

namespace orrery {
namespace {

CudaInfo ask() {
    CudaInfo info;
    cudaDriverGetVersion(&info.driver);
    int count = 0;
    if (const cudaError_t status = cudaGetDeviceCount(&count); status != cudaSuccess || count == 0) {
        cudaGetLastError();
        info.reason =
            info.driver == 0 ? "no CUDA driver" : fmt::format("no CUDA device ({})", cudaGetErrorString(status));
        return info;
    }
    for (int i = 0; i < count; ++i) {
        cudaDeviceProp properties{};
        if (cudaGetDeviceProperties(&properties, i) != cudaSuccess) continue;
        info.devices.push_back({properties.name, properties.major, properties.minor, properties.totalGlobalMem,
                                properties.multiProcessorCount,
                                fmt::format("{:04x}:{:02x}:{:02x}.0", properties.pciDomainID, properties.pciBusID,
                                            properties.pciDeviceID)});
    }
    // A device for which this binary contains no code fails at the first kernel: detect that now.
    if (const cudaError_t status = cudaFree(nullptr); status != cudaSuccess) {
        cudaGetLastError();
        info.reason = fmt::format("the CUDA device cannot be used ({})", cudaGetErrorString(status));
        return info;
    }
    info.available = true;
    return info;
}

}  // namespace

const CudaInfo& cuda_info() {
    static const CudaInfo info = ask();
    return info;
}

}  // namespace orrery

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
