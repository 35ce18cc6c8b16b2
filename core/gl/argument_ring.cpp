// SPDX-License-Identifier: MIT
#include "core/gl/argument_ring.hpp"

#include <cstring>

namespace orrery::gl {

void ArgumentRing::open(const Functions& f) {
    forget();
    if (f.buffer_storage) {
        constexpr GLbitfield kMapped = GL_MAP_WRITE_BIT | GL_MAP_PERSISTENT_BIT | GL_MAP_COHERENT_BIT;
        f.gen_buffers(1, &mapped_);
        f.bind_buffer(GL_UNIFORM_BUFFER, mapped_);
        f.buffer_storage(GL_UNIFORM_BUFFER, kSlots * kSlotBytes, nullptr, kMapped);
        memory_ = static_cast<std::byte*>(f.map_buffer_range(GL_UNIFORM_BUFFER, 0, kSlots * kSlotBytes, kMapped));
        if (memory_) return;
        f.delete_buffers(1, &mapped_);
    }
    f.gen_buffers(static_cast<GLsizei>(buffers_.size()), buffers_.data());
    for (const GLuint buffer : buffers_) {
        f.bind_buffer(GL_UNIFORM_BUFFER, buffer);
        f.buffer_data(GL_UNIFORM_BUFFER, kSlotBytes, nullptr, GL_DYNAMIC_DRAW);
    }
}

std::vector<GLuint> ArgumentRing::names() const {
    if (memory_) return {mapped_};
    return {buffers_.begin(), buffers_.end()};
}

void ArgumentRing::wait_for_segment(const Functions& f, std::size_t segment) {
    constexpr GLuint64 kLong = 1'000'000'000;  // nanoseconds
    GLsync& last = used_[segment];
    if (!last) return;
    // A context that was lost signals every fence.
    while (f.client_wait_sync(last, GL_SYNC_FLUSH_COMMANDS_BIT, kLong) == GL_TIMEOUT_EXPIRED) continue;
    f.delete_sync(last);
    last = nullptr;
}

void ArgumentRing::bind(const Functions& f, std::span<const std::byte> arguments) {
    if (!memory_) {
        const GLuint buffer = buffers_[turn_++ % buffers_.size()];
        f.bind_buffer(GL_UNIFORM_BUFFER, buffer);
        f.buffer_sub_data(GL_UNIFORM_BUFFER, 0, static_cast<GLsizeiptr>(arguments.size()), arguments.data());
        f.bind_buffer_base(GL_UNIFORM_BUFFER, 0, buffer);
        return;
    }
    const std::size_t slot = turn_++ % kSlots, segment = slot / kOfSegment;
    if (slot % kOfSegment == 0) {
        // All dispatches with slots of the previous segment have been issued.
        if (turn_ > 1)
            used_[(segment + used_.size() - 1) % used_.size()] = f.fence_sync(GL_SYNC_GPU_COMMANDS_COMPLETE, 0);
        wait_for_segment(f, segment);
    }
    std::memcpy(memory_ + slot * kSlotBytes, arguments.data(), arguments.size());
    f.bind_buffer_range(GL_UNIFORM_BUFFER, 0, mapped_, static_cast<GLintptr>(slot * kSlotBytes), kSlotBytes);
}

}  // namespace orrery::gl
