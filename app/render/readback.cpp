// SPDX-License-Identifier: MIT
#include "app/render/readback.hpp"

#include <fmt/format.h>

#include <chrono>
#include <cstring>

#include "app/render/gl/objects.hpp"
#include "app/render/gl/program.hpp"
#include "app/render/interop.hpp"
#include "core/base/error.hpp"
#include "core/cuda/info.hpp"

namespace orrery {
namespace {

using Clock = std::chrono::steady_clock;
double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

constexpr GLuint64 kAMinute = 60'000'000'000;  // nanoseconds

}  // namespace

/// A frame in flight, and its buffers.
struct Readback::Slot {
    int width = 0, height = 0;  ///< of the frame after averaging
    std::shared_ptr<Image> image;
    GlBuffer packed;
    std::unique_ptr<BufferReader> reader;  // reads `packed`, so it is destroyed first; kCuda
    GlBuffer host;                         // this and the rest: kBuffer
    const std::uint8_t* mapped = nullptr;
    GlFence copied;

    std::size_t bytes() const { return static_cast<std::size_t>(width) * static_cast<std::size_t>(height) * 4; }
};

/// Runs shaders/pack.comp.
class Readback::Packer {
public:
    Packer() : tables_{sizeof(light_of_byte()) + byte_of_light().size(), GL_DYNAMIC_STORAGE_BIT} {
        tables_.write(light_of_byte().data(), sizeof(light_of_byte()));
        tables_.write(byte_of_light().data(), byte_of_light().size(), sizeof(light_of_byte()));
    }

    void operator()(const RenderTarget& picture, int factor, const Slot& into) const {
        glMemoryBarrier(GL_TEXTURE_FETCH_BARRIER_BIT);
        program_.use();
        glProgramUniform3i(program_.name(), 0, into.width, into.height, factor);
        picture.canvas().texture().bind(0);
        glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 0, into.packed.name());
        glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 1, tables_.name());
        glDispatchCompute(work_groups(into.width, kWidth), work_groups(into.height, kHeight), 1);
        glMemoryBarrier(GL_BUFFER_UPDATE_BARRIER_BIT | GL_SHADER_STORAGE_BARRIER_BIT);
    }

private:
    static constexpr int kWidth = 16, kHeight = 8;  // local_size
    GlProgram program_{"pack.comp"};
    GlBuffer tables_;
};

Readback::Readback(const GlInfo& gl, int supersampling)
    : way_{ReadbackWay::kTexture}, supersampling_{supersampling}, pool_{ImagePool::Memory::kPlain} {
    if (gl.software) {
        why_not_cuda_ = "OpenGL is software";
        return;
    }
    constexpr std::size_t kProbe = 4096;
    const GlBuffer probe{kProbe, 0};
    adopt(try_buffer_reader(probe.name(), why_not_cuda_) ? ReadbackWay::kCuda : ReadbackWay::kBuffer);
}

Readback::Readback(ReadbackWay way, int supersampling)
    : way_{way}, supersampling_{supersampling}, pool_{ImagePool::Memory::kPlain} {
    adopt(way);
}

Readback::~Readback() = default;

void Readback::adopt(ReadbackWay way) {
    way_ = way;
    if (way == ReadbackWay::kTexture) return;
    packer_ = std::make_unique<Packer>();
    if (way == ReadbackWay::kCuda) pool_ = ImagePool{ImagePool::Memory::kPinned};
}

std::unique_ptr<Readback::Slot> Readback::slot_for(int width, int height) {
    std::erase_if(idle_, [&](const auto& slot) { return slot->width != width || slot->height != height; });
    if (!idle_.empty()) {
        auto slot = std::move(idle_.back());
        idle_.pop_back();
        return slot;
    }
    auto slot = std::make_unique<Slot>();
    slot->width = width, slot->height = height;
    if (way_ == ReadbackWay::kTexture) return slot;
    slot->packed = GlBuffer{slot->bytes(), 0};
    if (way_ == ReadbackWay::kCuda) {
        std::string why_not;
        slot->reader = try_buffer_reader(slot->packed.name(), why_not);
        if (!slot->reader) environment_error(fmt::format("reading frames back: {}", why_not));
        return slot;
    }
    slot->host = GlBuffer{slot->bytes(), kMappedForReading | GL_CLIENT_STORAGE_BIT};
    slot->mapped = static_cast<const std::uint8_t*>(
        glMapNamedBufferRange(slot->host.name(), 0, static_cast<GLsizeiptr>(slot->bytes()), kMappedForReading));
    if (!slot->mapped) environment_error("reading frames back: OpenGL cannot map a buffer");
    return slot;
}

void Readback::begin(const RenderTarget& picture) {
    auto slot = slot_for(picture.width() / supersampling_, picture.height() / supersampling_);
    slot->image = pool_.get(slot->width, slot->height);
    switch (way_) {
        case ReadbackWay::kTexture: {
            glFinish();  // ends drawing, which does not count as copying
            const auto start = Clock::now();
            if (supersampling_ == 1) {
                picture.read(*slot->image);
            } else {
                picture.read(large_);
                shrink(large_, supersampling_, *slot->image);
            }
            copy_seconds_ += seconds_since(start);
            break;
        }
        case ReadbackWay::kBuffer:
            (*packer_)(picture, supersampling_, *slot);
            glCopyNamedBufferSubData(slot->packed.name(), slot->host.name(), 0, 0,
                                     static_cast<GLsizeiptr>(slot->bytes()));
            slot->copied.reset(glFenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, 0));
            glFlush();
            break;
        case ReadbackWay::kCuda:
            (*packer_)(picture, supersampling_, *slot);
            slot->reader->begin(slot->image->rgba.data(), slot->bytes());
            break;
    }
    waiting_.push_back(std::move(slot));
}

bool Readback::ready() const {
    if (waiting_.empty()) return false;
    const Slot& oldest = *waiting_.front();
    switch (way_) {
        case ReadbackWay::kTexture:
            return true;
        case ReadbackWay::kBuffer: {
            const GLenum status = glClientWaitSync(oldest.copied.get(), 0, 0);
            return status == GL_ALREADY_SIGNALED || status == GL_CONDITION_SATISFIED;
        }
        case ReadbackWay::kCuda:
            return oldest.reader->done();
    }
    return false;
}

SharedImage Readback::take() {
    auto slot = std::move(waiting_.front());
    waiting_.pop_front();
    if (way_ == ReadbackWay::kCuda) copy_seconds_ += slot->reader->finish();
    if (way_ == ReadbackWay::kBuffer) {
        const GLenum status = glClientWaitSync(slot->copied.get(), GL_SYNC_FLUSH_COMMANDS_BIT, kAMinute);
        if (status != GL_ALREADY_SIGNALED && status != GL_CONDITION_SATISFIED)
            environment_error("reading frames back: OpenGL timed out");
        const auto start = Clock::now();
        std::memcpy(slot->image->rgba.data(), slot->mapped, slot->bytes());
        copy_seconds_ += seconds_since(start);
    }
    SharedImage image = std::move(slot->image);
    idle_.push_back(std::move(slot));
    return image;
}

std::string_view name_of(ReadbackWay way) {
    switch (way) {
        case ReadbackWay::kTexture:
            return "texture";
        case ReadbackWay::kBuffer:
            return "buffer";
        case ReadbackWay::kCuda:
            return "cuda";
    }
    return "unknown";
}

}  // namespace orrery
