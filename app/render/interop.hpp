// SPDX-License-Identifier: MIT
#pragma once
#include <glad/gl.h>

#include <cstddef>
#include <memory>
#include <span>
#include <string>

#include "core/base/vec.hpp"

namespace orrery {

class DeviceFrameBuffer;

/// A GL buffer that CUDA writes. Two implementations, one of them linked: interop_cuda.cpp, interop_absent.cpp.
class Interop {
public:
    virtual ~Interop() = default;
    /// Copies the first `count` vertices into the GL buffer; GL commands issued later see them.
    virtual void copy(const DeviceFrameBuffer& from, std::size_t count) = 0;
};

/// Registers `buffer` of `bytes` with CUDA. Null when that does not work; `why_not` then says why in one line.
std::unique_ptr<Interop> try_interop(GLuint buffer, std::size_t bytes, std::string& why_not);

/// Copies the first `to.size()` vertices to the host and waits for them.
void download(const DeviceFrameBuffer& from, std::span<Vec4f> to);

}  // namespace orrery
