// SPDX-License-Identifier: MIT
#pragma once
#include <nvtx3/nvToolsExt.h>

#include <cstdint>
#include <type_traits>

#include "core/cuda/stream.hpp"

namespace orrery::cuda {

struct Shape {
    dim3 grid, block;
    std::size_t shared_bytes = 0;
};

/// A launch of one thread per element, in blocks of 256.
inline Shape linear(std::uint64_t count) { return {dim3(static_cast<unsigned>((count + 255) / 256)), dim3(256)}; }

class NvtxRange {
public:
    explicit NvtxRange(const char* name) { nvtxRangePushA(name); }
    NvtxRange(const NvtxRange&) = delete;
    NvtxRange& operator=(const NvtxRange&) = delete;
    ~NvtxRange() { nvtxRangePop(); }
};

#ifdef ORRERY_SYNC_EVERY_LAUNCH
inline constexpr bool kSyncEveryLaunch = true;
#else
inline constexpr bool kSyncEveryLaunch = false;
#endif

/// The only `<<<>>>` of the project: names the launch for the profiler, converts the arguments, checks for errors.
template <class... Params, class... Args>
void launch(const char* name, Shape shape, cudaStream_t stream, void (*kernel)(Params...), Args&&... args) {
    if (shape.grid.x == 0) return;  // no bodies, no work
    const NvtxRange range{name};
    kernel<<<shape.grid, shape.block, shape.shared_bytes, stream>>>(static_cast<Params>(args)...);
    check(cudaGetLastError(), name);
    if constexpr (kSyncEveryLaunch)
        check(cudaStreamSynchronize(stream), name);  // debug builds: attribute the error to the right kernel
}

/// The same for a cooperative kernel: all its blocks must be resident at once, because they wait for each other.
template <class... Params>
void launch_cooperative(const char* name, Shape shape, cudaStream_t stream, void (*kernel)(Params...),
                        std::type_identity_t<Params>... params) {
    const NvtxRange range{name};
    void* arguments[] = {&params...};
    check(cudaLaunchCooperativeKernel(kernel, shape.grid, shape.block, arguments, shape.shared_bytes, stream), name);
    if constexpr (kSyncEveryLaunch) check(cudaStreamSynchronize(stream), name);
}

/// Index of this thread in a linear launch.
__device__ inline std::uint64_t thread_index() { return std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x; }

// Reductions over all 32 lanes of a warp; every lane must take part. One instruction each from compute capability 8.0
// on.

/// The sum of the values of all lanes, in every lane.
__device__ inline std::uint32_t sum_of_warp(std::uint32_t value) {
#if __CUDA_ARCH__ >= 800
    return __reduce_add_sync(~0u, value);
#else
    for (int lanes = 16; lanes > 0; lanes /= 2) value += __shfl_xor_sync(~0u, value, lanes);
    return value;
#endif
}

/// The bitwise OR over all lanes, in every lane.
__device__ inline std::uint32_t bits_of_warp(std::uint32_t value) {
#if __CUDA_ARCH__ >= 800
    return __reduce_or_sync(~0u, value);
#else
    for (int lanes = 16; lanes > 0; lanes /= 2) value |= __shfl_xor_sync(~0u, value, lanes);
    return value;
#endif
}

}  // namespace orrery::cuda
