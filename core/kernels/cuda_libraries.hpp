// SPDX-License-Identifier: MIT
// NVRTC, NVIDIA's compiler as a library, and the CUDA driver's library, which runs what it compiled. Both are opened at
// run time. No header of the toolkit is needed, so that the program that tries kernels links none of it.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

struct CUstream_st;

namespace orrery {

/// Why CUDA C++ cannot be compiled here; empty: it can. $ORRERY_NVRTC names the library; otherwise libnvrtc.so.13,
/// .so.12, .so.11.2 and /usr/local/cuda are searched.
std::string why_no_nvrtc();

/// "13.0"; empty without NVRTC.
std::string nvrtc_version();

/// The result of compiling: a binary for a device, or the compiler's messages.
struct NvrtcResult {
    std::string cubin;  ///< empty: failed
    std::string log;
};
/// Compiles `source`. `headers`: name and text of files that it includes. Throws Error{kEnvironment} without NVRTC.
NvrtcResult compile_with_nvrtc(const std::string& source,
                               const std::vector<std::pair<std::string, std::string>>& headers,
                               const std::vector<std::string>& options);

/// The argument of the kernels in wrap_cuda.inc; kernel_cuda.h has the same.
struct CudaWork {
    const void* bodies = nullptr;
    void* out = nullptr;
    std::uint32_t count = 0, first_item = 0, splits = 1, first_row = 0, last_row = 0;
    double softening2 = 0, constant = 1;
    std::array<double, 16> parameters{};
};

/// Device memory of the program that tries kernels.
class CudaMemory {
public:
    explicit CudaMemory(std::size_t bytes);
    CudaMemory(const CudaMemory&) = delete;
    CudaMemory& operator=(const CudaMemory&) = delete;
    ~CudaMemory();

    void write(const void* from) const;
    void read(void* into) const;
    void* at(std::size_t byte) const { return reinterpret_cast<void*>(address_ + byte); }

private:
    std::uintptr_t address_ = 0;
    std::size_t bytes_;
};

/// A binary on the device that the CUDA runtime uses on this thread, otherwise on the first one. All functions throw
/// Error{kEnvironment} with the driver's message.
class CudaModule {
public:
    explicit CudaModule(const std::string& cubin);
    CudaModule(const CudaModule&) = delete;
    CudaModule& operator=(const CudaModule&) = delete;
    ~CudaModule();

    /// Enqueues a launch of `blocks` blocks on the stream; null: the default one.
    void launch(const char* kernel, unsigned blocks, unsigned threads, const CudaWork& work, CUstream_st* stream) const;

private:
    void* module_ = nullptr;
};

/// Waits for all work of the device. Throws Error{kEnvironment} with the driver's message.
void wait_for_cuda();

}  // namespace orrery
