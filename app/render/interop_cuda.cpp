// SPDX-License-Identifier: MIT
// The only file of the app that uses CUDA. GLAD comes first, because cuda_gl_interop.h includes a GL header.
#include "app/render/interop.hpp"

#include <cuda_gl_interop.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>

#include "app/render/gl/objects.hpp"
#include "core/base/error.hpp"
#include "core/bodies/cuda/frame_buffer.hpp"
#include "core/bodies/cuda/neighbours.hpp"
#include "core/cuda/info.hpp"
#include "core/cuda/stream.hpp"

namespace orrery {
namespace {

struct Unregister {
    void operator()(cudaGraphicsResource* resource) const noexcept { cudaGraphicsUnregisterResource(resource); }
};
using Resource = std::unique_ptr<cudaGraphicsResource, Unregister>;

/// Maps a GL buffer. GL commands issued earlier precede operations that are enqueued on the stream later.
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

/// Returns null and sets `why_not` to one line if CUDA cannot access GL's buffers.
Resource register_buffer(GLuint buffer, unsigned flags, std::string& why_not) {
    if (!cuda_info().available) {
        why_not = cuda_info().reason;
        return nullptr;
    }
    // Checked first, because a registration error does not distinguish a wrong device from a bad buffer.
    unsigned count = 0;
    int device = -1;
    if (const cudaError_t status = cudaGLGetDevices(&count, &device, 1, cudaGLDeviceListAll);
        status != cudaSuccess || count == 0) {
        cudaGetLastError();
        why_not = fmt::format("OpenGL does not draw on a CUDA device ({})",
                              status == cudaSuccess ? "none found" : cudaGetErrorString(status));
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
        stream_.wait();  // the frame may be filled again after the return
    }

    BodyWidths find_neighbours(std::size_t count, int k) override {
        search_.reset();
        std::optional<BodyWidths> found;
        while (!found) found = find_part(count, k, kWhole);
        return *found;
    }

    std::optional<BodyWidths> find_part(std::size_t count, int k, double seconds) override {
        if (!neighbours_) neighbours_ = std::make_unique<DeviceNeighbours>();
        Found& to = found_[next_];
        if (!to.reserve(std::max<std::size_t>(count, 1), bytes_ / sizeof(Vec4f))) return BodyWidths{};
        if (search_ && (search_->count != count || search_->k != k)) search_.reset();
        begun_.record(stream_.get());
        if (!search_) {
            const auto* d_places = static_cast<const Vec4f*>(map(resource_, stream_));
            auto* d_order = static_cast<std::uint32_t*>(map(to.of_order, stream_));
            search_ = Part{count, k, neighbours_->begin(d_places, count, k, d_order, stream_.get())};
            unmap(to.of_order, stream_);
            unmap(resource_, stream_);
            if (seconds < kWhole) return stream_.wait(), std::nullopt;
        }
        const std::size_t first = search_->next, left = search_->leaves - first;
        const auto affordable = static_cast<std::size_t>(std::min(seconds * leaves_per_second_, 1e12));
        const std::size_t last = first + std::min(left, std::max(affordable, kLeastLeaves));
        auto* d_distances = static_cast<float*>(map(to.of_distances, stream_));
        neighbours_->find_in(first, last, d_distances, stream_.get());
        unmap(to.of_distances, stream_);
        ended_.record(stream_.get());
        const double took = ended_.seconds_since(begun_);
        if (took > 0) leaves_per_second_ = static_cast<double>(last - first) / took;
        search_->next = last;
        if (last < search_->leaves) return std::nullopt;
        search_.reset();
        next_ = 1 - next_;
        return BodyWidths{to.distances.name(), to.order.name()};
    }

private:
    static constexpr double kWhole = 1e9;  // seconds
    static constexpr std::size_t kLeastLeaves = 4096;

    /// Output of a search.
    struct Found {
        GlBuffer distances, order;
        Resource of_distances, of_order;  // after their buffers, so that they are destroyed first

        bool reserve(std::size_t count, std::size_t most) {
            if (distances.bytes() < count * sizeof(float)) {
                of_distances.reset(), of_order.reset();
                distances = GlBuffer{most * sizeof(float), 0}, order = GlBuffer{most * sizeof(std::uint32_t), 0};
                std::string why_not;
                of_distances = register_buffer(distances.name(), cudaGraphicsRegisterFlagsNone, why_not);
                of_order = register_buffer(order.name(), cudaGraphicsRegisterFlagsNone, why_not);
            }
            return of_distances && of_order;
        }
    };
    struct Part {
        std::size_t count;
        int k;
        std::size_t leaves, next = 0;
    };

    cuda::Stream stream_{cuda::Priority::kHigh};  // a frame waits for it
    Resource resource_;
    std::size_t bytes_;
    std::unique_ptr<DeviceNeighbours> neighbours_;
    std::array<Found, 2> found_;  // one is drawn from while the other is written
    std::size_t next_ = 0;
    std::optional<Part> search_;  // in progress
    double leaves_per_second_ = 1e7;
    cuda::Event begun_, ended_;
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
        cuda::check(cudaMemcpyAsync(to, d_from, bytes, cudaMemcpyDeviceToHost, stream_.get()), "copying a frame");
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
