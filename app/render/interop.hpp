// SPDX-License-Identifier: MIT
#pragma once
#include <glad/gl.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "core/base/vec.hpp"

namespace orrery {

class DeviceFrameBuffer;

/// What tells how widely bodies are to be smoothed: buffers in GL memory.
struct BodyWidths {
    GLuint distances = 0;  ///< of each body to its k-th neighbour, as floats; 0: not known yet
    GLuint order = 0;      ///< the numbers of all bodies, near ones one after the other; 0: not known
};

/// A GL buffer with vertices, which CUDA writes and looks at. This header has two implementations, one of which is
/// linked: interop_cuda.cpp, interop_absent.cpp.
class Interop {
public:
    virtual ~Interop() = default;
    /// Copies the first `count` vertices into the GL buffer; GL commands issued later see them.
    virtual void copy(const DeviceFrameBuffer& from, std::size_t count) = 0;
    /// Writes the distance of each of the first `count` vertices to the k-th nearest other one (Neighbours::find())
    /// into a GL buffer of its own, and into another their order along the curve of the tree; GL commands issued later
    /// see them. Returns their names, 0 where CUDA cannot write them. What find_part() had begun is abandoned.
    virtual BodyWidths find_neighbours(std::size_t count, int k) = 0;
    /// The same a part at a time, each of about so many seconds of the device, for the vertices at the first call since
    /// it returned names. Until the last part it returns nothing, and what was found before stays whole.
    virtual std::optional<BodyWidths> find_part(std::size_t count, int k, double seconds) = 0;
};

/// Registers `buffer` of `bytes` with CUDA. Null if that fails; `why_not` then gives the reason in one line.
std::unique_ptr<Interop> try_interop(GLuint buffer, std::size_t bytes, std::string& why_not);

/// A GL buffer that CUDA copies to the host while GL continues with other buffers.
class BufferReader {
public:
    virtual ~BufferReader() = default;  ///< waits for a pending copy
    /// Enqueues the copy of the first `bytes`, after all GL commands so far; `to` should be pinned, and must stay
    /// valid. GL does not use the buffer until finish().
    virtual void begin(std::uint8_t* to, std::size_t bytes) = 0;
    virtual bool done() const = 0;
    /// Waits and returns the buffer to GL. Returns the seconds that the device took to copy.
    virtual double finish() = 0;
};

/// Registers `buffer` with CUDA for reading. Null if that fails; `why_not` then gives the reason in one line.
std::unique_ptr<BufferReader> try_buffer_reader(GLuint buffer, std::string& why_not);

/// Pins host memory during its lifetime, so that devices copy to it at full speed.
class PinnedMemory {
public:
    virtual ~PinnedMemory() = default;
};

/// Throws Error{kEnvironment} with the size if the system fails.
std::unique_ptr<PinnedMemory> pin_memory(void* memory, std::size_t bytes);

/// Copies the first `to.size()` vertices to the host and waits for them.
void download(const DeviceFrameBuffer& from, std::span<Vec4f> to);

}  // namespace orrery
