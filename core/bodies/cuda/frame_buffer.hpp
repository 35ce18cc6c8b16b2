// SPDX-License-Identifier: MIT
#pragma once
#include "core/base/vec.hpp"
#include "core/cuda/device_buffer.hpp"

namespace orrery {

/// The vertices of a Frame in device memory.
class DeviceFrameBuffer {
public:
    explicit DeviceFrameBuffer(std::size_t count) : vertices_{count} {}
    Vec4f* data() noexcept { return vertices_.data(); }
    const Vec4f* data() const noexcept { return vertices_.data(); }
    std::size_t size() const noexcept { return vertices_.size(); }

private:
    cuda::DeviceBuffer<Vec4f> vertices_;
};

}  // namespace orrery
