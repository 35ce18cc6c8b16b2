// SPDX-License-Identifier: MIT
#include "app/render/shared_buffer.hpp"

#include <algorithm>

namespace orrery {

namespace {

/// Grows by half again, so that a body count that creeps up does not make a new buffer for each frame.
void reserve(GlBuffer& buffer, std::size_t bytes) {
    if (buffer.bytes() >= bytes) return;
    const std::size_t grown = std::max(bytes, buffer.bytes() + buffer.bytes() / 2);
    buffer = GlBuffer{};  // the old one goes first: both may not fit
    buffer = GlBuffer{grown, GL_DYNAMIC_STORAGE_BIT};
}

}  // namespace

void SharedBuffer::upload(const Frame& frame) {
    if (frame.device) {
        upload_device(frame);
    } else {
        upload_host(frame.host.data(), std::min(frame.count, frame.host.size()));
        way_ = Way::kHost;
    }
}

void SharedBuffer::upload_host(const Vec4f* vertices, std::size_t count) {
    GlBuffer& buffer = host_[next_host_];
    next_host_ = (next_host_ + 1) % host_.size();
    reserve(buffer, count * sizeof(Vec4f));
    if (count > 0) buffer.write(vertices, count * sizeof(Vec4f));
    current_ = buffer.name();
    count_ = count;
}

void SharedBuffer::upload_device(const Frame& frame) {
    const std::size_t bytes = frame.count * sizeof(Vec4f);
    if (why_not_.empty() && device_.bytes() < std::max<std::size_t>(bytes, 1)) {
        interop_.reset();
        reserve(device_, bytes);
        interop_ = try_interop(device_.name(), device_.bytes(), why_not_);
        if (!interop_) device_ = GlBuffer{};
    }
    if (interop_) {
        interop_->copy(*frame.device, frame.count);
        current_ = device_.name();
        count_ = frame.count;
        way_ = Way::kInterop;
        return;
    }
    staging_.resize(frame.count);
    download(*frame.device, staging_);
    upload_host(staging_.data(), frame.count);
    way_ = Way::kStaging;
}

std::string_view name_of(SharedBuffer::Way way) {
    switch (way) {
        case SharedBuffer::Way::kNone:
            return "none";
        case SharedBuffer::Way::kHost:
            return "host";
        case SharedBuffer::Way::kInterop:
            return "interop";
        case SharedBuffer::Way::kStaging:
            return "staging";
    }
    return "unknown";
}

}  // namespace orrery
