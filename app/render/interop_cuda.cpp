// SPDX-License-Identifier: MIT
// The one file of the app that knows CUDA. GLAD comes first: cuda_gl_interop.h brings a GL header of its own.
#include "app/render/interop.hpp"

#include <cuda_gl_interop.h>
#include <fmt/format.h>

#include "core/base/error.hpp"
#include "core/cuda/frame_buffer.hpp"
#include "core/cuda/info.hpp"
#include "core/cuda/stream.hpp"

namespace orrery {
namespace {

class CudaInterop final : public Interop {
public:
    CudaInterop(cudaGraphicsResource* resource, std::size_t bytes) : resource_{resource}, bytes_{bytes} {}

    void copy(const DeviceFrameBuffer& from, std::size_t count) override {
        const std::size_t bytes = count * sizeof(Vec4f);
        if (bytes > bytes_) environment_error(fmt::format("interop: {} bytes do not fit into {}", bytes, bytes_));
        cudaGraphicsResource* resource = resource_.get();
        cuda::check(cudaGraphicsMapResources(1, &resource, stream_.get()), "mapping the GL buffer");
        void* d_target = nullptr;
        std::size_t mapped = 0;
        cuda::check(cudaGraphicsResourceGetMappedPointer(&d_target, &mapped, resource), "address of the GL buffer");
        cuda::check(cudaMemcpyAsync(d_target, from.data(), bytes, cudaMemcpyDeviceToDevice, stream_.get()),
                    "copying vertices to GL");
        cuda::check(cudaGraphicsUnmapResources(1, &resource, stream_.get()), "unmapping the GL buffer");
        stream_.wait();  // the frame may be filled again as soon as we return
    }

private:
    struct Unregister {
        void operator()(cudaGraphicsResource* resource) const noexcept { cudaGraphicsUnregisterResource(resource); }
    };
    cuda::Stream stream_;
    std::unique_ptr<cudaGraphicsResource, Unregister> resource_;
    std::size_t bytes_;
};

}  // namespace

std::unique_ptr<Interop> try_interop(GLuint buffer, std::size_t bytes, std::string& why_not) {
    if (!cuda_info().available) {
        why_not = cuda_info().reason;
        return nullptr;
    }
    // Asked first, since the error of a registration does not tell a wrong device from a bad buffer.
    unsigned count = 0;
    int device = -1;
    if (const cudaError_t status = cudaGLGetDevices(&count, &device, 1, cudaGLDeviceListAll);
        status != cudaSuccess || count == 0) {
        cudaGetLastError();
        why_not = fmt::format("OpenGL does not draw on a CUDA device ({})",
                              status == cudaSuccess ? "it belongs to none" : cudaGetErrorString(status));
        return nullptr;
    }
    cudaGraphicsResource* resource = nullptr;
    if (const cudaError_t status =
            cudaGraphicsGLRegisterBuffer(&resource, buffer, cudaGraphicsRegisterFlagsWriteDiscard);
        status != cudaSuccess) {
        cudaGetLastError();
        why_not = fmt::format("CUDA cannot register a GL buffer ({})", cudaGetErrorString(status));
        return nullptr;
    }
    return std::make_unique<CudaInterop>(resource, bytes);
}

void download(const DeviceFrameBuffer& from, std::span<Vec4f> to) {
    const cuda::Stream stream;
    cuda::check(cudaMemcpyAsync(to.data(), from.data(), to.size_bytes(), cudaMemcpyDeviceToHost, stream.get()),
                "copying vertices to the host");
    stream.wait();
}

}  // namespace orrery
