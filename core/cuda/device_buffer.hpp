// SPDX-License-Identifier: MIT
#pragma once
#include <memory>
#include <span>
#include <type_traits>

#include "core/cuda/stream.hpp"

namespace orrery::cuda {

/// Owns `size()` uninitialised elements of device memory. Move-only.
template <class T>
requires std::is_trivially_copyable_v<T>
class DeviceBuffer {
public:
    DeviceBuffer() = default;
    explicit DeviceBuffer(std::size_t size, std::source_location at = std::source_location::current()) : size_{size} {
        void* d_memory = nullptr;
        const std::size_t bytes = size * sizeof(T);
        const cudaError_t status = cudaMalloc(&d_memory, bytes);
        if (status == cudaErrorMemoryAllocation) out_of_memory(bytes);
        check(status, "device allocation", at);
        memory_.reset(static_cast<T*>(d_memory));
    }

    T* data() noexcept { return memory_.get(); }
    const T* data() const noexcept { return memory_.get(); }
    std::size_t size() const noexcept { return memory_ ? size_ : 0; }  // a moved-from buffer is empty

private:
    struct Free {
        void operator()(T* d_memory) const noexcept { cudaFree(d_memory); }  // a destructor cannot report errors
    };
    std::unique_ptr<T[], Free> memory_;
    std::size_t size_ = 0;
};

/// Owns pinned host memory, to and from which a device copies directly.
template <class T>
requires std::is_trivially_copyable_v<T>
class PinnedBuffer {
public:
    PinnedBuffer() = default;
    explicit PinnedBuffer(std::size_t size) {
        void* memory = nullptr;
        check(cudaMallocHost(&memory, size * sizeof(T)), "pinned host memory");
        memory_.reset(static_cast<T*>(memory));
    }

    T* data() noexcept { return memory_.get(); }
    const T* data() const noexcept { return memory_.get(); }
    explicit operator bool() const noexcept { return memory_ != nullptr; }

private:
    struct Free {
        void operator()(T* memory) const noexcept { cudaFreeHost(memory); }
    };
    std::unique_ptr<T[], Free> memory_;
};

/// Enqueues a copy to the device; `host` must stay valid until the stream has completed it.
template <class T>
void upload(std::span<const T> host, DeviceBuffer<T>& device, cudaStream_t stream) {
    check(cudaMemcpyAsync(device.data(), host.data(), host.size_bytes(), cudaMemcpyHostToDevice, stream), "upload");
}
template <class T>
void download(const DeviceBuffer<T>& device, std::span<T> host, cudaStream_t stream) {
    check(cudaMemcpyAsync(host.data(), device.data(), host.size_bytes(), cudaMemcpyDeviceToHost, stream), "download");
}

}  // namespace orrery::cuda
