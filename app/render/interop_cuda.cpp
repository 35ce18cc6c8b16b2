// SPDX-License-Identifier: MIT
// The one file of the app that knows CUDA. GLAD comes first: cuda_gl_interop.h brings a GL header of its own.
#include "app/render/interop.hpp"

#include <cuda_gl_interop.h>
#include <fmt/format.h>

#include "app/render/gl/buffer.hpp"
#include "core/base/error.hpp"
#include "core/bodies/cuda/frame_buffer.hpp"
#include "core/bodies/cuda/neighbours.hpp"
#include "core/cuda/event.hpp"
#include "core/cuda/info.hpp"
#include "core/cuda/stream.hpp"

namespace orrery {
namespace {

struct Unregister {
    void operator()(cudaGraphicsResource* resource) const noexcept { cudaGraphicsUnregisterResource(resource); }
};
using Resource = std::unique_ptr<cudaGraphicsResource, Unregister>;

/// Maps a GL buffer: what GL was told before comes before what the stream is told from now on.
void* map(const Resource& resource, const cuda::Stream& stream) {
    cudaGraphicsResource* raw = resource.get();
    cuda::check(cudaGraphicsMapResources(1, &raw, stream.get()), "mapping the GL buffer");
    void* d_buffer = nullptr;
    std::size_t mapped = 0;
    cuda::check(cudaGraphicsResourceGetMappedPointer(&d_buffer, &mapped, raw), "address of the GL buffer");
    return d_buffer;
}
void unmap(const Resource& resource, const cuda::Stream& stream) {
    cudaGraphicsResource* raw = resource.get();
    cuda::check(cudaGraphicsUnmapResources(1, &raw, stream.get()), "unmapping the GL buffer");
}

/// Null, with `why_not` in one line, where GL's buffers are not CUDA's.
Resource register_buffer(GLuint buffer, unsigned flags, std::string& why_not) {
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
    if (const cudaError_t status = cudaGraphicsGLRegisterBuffer(&resource, buffer, flags); status != cudaSuccess) {
        cudaGetLastError();
        why_not = fmt::format("CUDA cannot register a GL buffer ({})", cudaGetErrorString(status));
        return nullptr;
    }
    return Resource{resource};
}

class CudaInterop final : public Interop {
public:
    CudaInterop(Resource resource, std::size_t bytes) : resource_{std::move(resource)}, bytes_{bytes} {}

    void copy(const DeviceFrameBuffer& from, std::size_t count) override {
        const std::size_t bytes = count * sizeof(Vec4f);
        if (bytes > bytes_) environment_error(fmt::format("interop: {} bytes do not fit into {}", bytes, bytes_));
        void* d_target = map(resource_, stream_);
        cuda::check(cudaMemcpyAsync(d_target, from.data(), bytes, cudaMemcpyDeviceToDevice, stream_.get()),
                    "copying vertices to GL");
        unmap(resource_, stream_);
        stream_.wait();  // the frame may be filled again as soon as we return
    }

    BodyWidths find_neighbours(std::size_t count, int k) override {
        if (!neighbours_) neighbours_ = std::make_unique<DeviceNeighbours>();
        if (distances_.bytes() < std::max<std::size_t>(count, 1) * sizeof(float)) {
            of_distances_.reset(), of_order_.reset();  // before their buffers
            const std::size_t most = bytes_ / sizeof(Vec4f);
            distances_ = GlBuffer{most * sizeof(float), 0}, order_ = GlBuffer{most * sizeof(std::uint32_t), 0};
            std::string why_not;
            of_distances_ = register_buffer(distances_.name(), cudaGraphicsRegisterFlagsWriteDiscard, why_not);
            of_order_ = register_buffer(order_.name(), cudaGraphicsRegisterFlagsWriteDiscard, why_not);
        }
        if (!of_distances_ || !of_order_) return {};
        const auto* d_places = static_cast<const Vec4f*>(map(resource_, stream_));
        auto* d_distances = static_cast<float*>(map(of_distances_, stream_));
        auto* d_order = static_cast<std::uint32_t*>(map(of_order_, stream_));
        begun_.record(stream_.get());
        neighbours_->find(d_places, count, k, d_distances, d_order, stream_.get());
        found_.record(stream_.get());
        unmap(of_order_, stream_);
        unmap(of_distances_, stream_);
        unmap(resource_, stream_);
        seconds_ = found_.seconds_since(begun_);
        return {distances_.name(), order_.name()};
    }
    double seconds_of_neighbours() const override { return seconds_; }

private:
    cuda::Stream stream_{cuda::Priority::kHigh};  // a picture waits for it
    Resource resource_;
    std::size_t bytes_;
    std::unique_ptr<DeviceNeighbours> neighbours_;
    GlBuffer distances_, order_;
    Resource of_distances_, of_order_;
    cuda::Event begun_, found_;
    double seconds_ = 0;
};

class CudaBufferReader final : public BufferReader {
public:
    explicit CudaBufferReader(Resource resource) : resource_{std::move(resource)} {}
    CudaBufferReader(const CudaBufferReader&) = delete;
    CudaBufferReader& operator=(const CudaBufferReader&) = delete;
    ~CudaBufferReader() override {
        if (!begun_) return;
        cudaStreamSynchronize(stream_.get());
        cudaGraphicsResource* raw = resource_.get();
        cudaGraphicsUnmapResources(1, &raw, stream_.get());
    }

    void begin(std::uint8_t* to, std::size_t bytes) override {
        const void* d_from = map(resource_, stream_);
        begun_ = true;
        start_.record(stream_.get());
        cuda::check(cudaMemcpyAsync(to, d_from, bytes, cudaMemcpyDeviceToHost, stream_.get()), "copying a picture");
        end_.record(stream_.get());
    }
    bool done() const override { return end_.passed(); }
    double finish() override {
        const double seconds = end_.seconds_since(start_);
        begun_ = false;
        unmap(resource_, stream_);
        return seconds;
    }

private:
    cuda::Stream stream_;
    Resource resource_;
    cuda::Event start_, end_;
    bool begun_ = false;
};

class CudaPinnedMemory final : public PinnedMemory {
public:
    CudaPinnedMemory(void* memory, std::size_t bytes) : memory_{memory} {
        cuda::check(cudaHostRegister(memory, bytes, cudaHostRegisterDefault),
                    fmt::format("pinning {} bytes of host memory", bytes));
    }
    CudaPinnedMemory(const CudaPinnedMemory&) = delete;
    CudaPinnedMemory& operator=(const CudaPinnedMemory&) = delete;
    ~CudaPinnedMemory() override { cudaHostUnregister(memory_); }

private:
    void* memory_;
};

}  // namespace

std::unique_ptr<Interop> try_interop(GLuint buffer, std::size_t bytes, std::string& why_not) {
    Resource resource = register_buffer(buffer, cudaGraphicsRegisterFlagsNone, why_not);
    return resource ? std::make_unique<CudaInterop>(std::move(resource), bytes) : nullptr;
}

std::unique_ptr<BufferReader> try_buffer_reader(GLuint buffer, std::string& why_not) {
    Resource resource = register_buffer(buffer, cudaGraphicsRegisterFlagsReadOnly, why_not);
    return resource ? std::make_unique<CudaBufferReader>(std::move(resource)) : nullptr;
}

std::unique_ptr<PinnedMemory> pin_memory(void* memory, std::size_t bytes) {
    return std::make_unique<CudaPinnedMemory>(memory, bytes);
}

void download(const DeviceFrameBuffer& from, std::span<Vec4f> to) {
    const cuda::Stream stream;
    cuda::check(cudaMemcpyAsync(to.data(), from.data(), to.size_bytes(), cudaMemcpyDeviceToHost, stream.get()),
                "copying vertices to the host");
    stream.wait();
}

}  // namespace orrery
