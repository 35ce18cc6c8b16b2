// SPDX-License-Identifier: MIT
#include "core/cuda/info.hpp"

#include <cuda_runtime_api.h>
#include <fmt/format.h>

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
                                properties.multiProcessorCount});
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
