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

/// Input for smoothing bodies: buffers in GL memory.
struct BodyWidths {
    GLuint distances = 0;  ///< from each body to its k-th neighbour, as floats; 0: unknown
    GLuint order = 0;      ///< indices of all bodies, with neighbours close together; 0: unknown
};

/// A GL buffer of vertices that CUDA writes and reads. One of two implementations is linked: interop_cuda.cpp or
/// interop_absent.cpp.
class Interop {
public:
    virtual ~Interop() = default;
    /// Copies the first `count` vertices into the GL buffer; later GL commands see them.
    virtual void copy(const DeviceFrameBuffer& from, std::size_t count) = 0;
    /// Writes the distance from each of the first `count` vertices to its k-th nearest neighbour (Neighbours::find())
    /// into one GL buffer, and their order along the tree's curve into another; later GL commands see them. Returns
    /// their names, 0 if CUDA cannot write them. Abandons a search that find_part() began.
    virtual BodyWidths find_neighbours(std::size_t count, int k) = 0;
    /// The same in parts of about this duration of device time, for the vertices at the first call after a result.
    /// Returns nothing before the last part; until then the previous result remains intact.
    virtual std::optional<BodyWidths> find_part(std::size_t count, int k, double seconds) = 0;
};

/// Registers `buffer` of `bytes` with CUDA. Null if that fails; `why_not` then gives the reason in one line.
std::unique_ptr<Interop> try_interop(GLuint buffer, std::size_t bytes, std::string& why_not);

/// A GL buffer that CUDA copies to the host while GL continues with other buffers.
class BufferReader {
public:
    virtual ~BufferReader() = default;  ///< waits for a pending copy
    /// Enqueues the copy of the first `bytes` after all GL commands so far. `to` should be pinned and must remain
    /// valid. GL must not use the buffer until finish().
    virtual void begin(std::uint8_t* to, std::size_t bytes) = 0;
    virtual bool done() const = 0;
    /// Waits and returns the buffer to GL. Returns the seconds that the device took to copy.
    virtual double finish() = 0;
};

/// Registers `buffer` with CUDA for reading. Null if that fails; `why_not` then gives the reason in one line.
std::unique_ptr<BufferReader> try_buffer_reader(GLuint buffer, std::string& why_not);

/// Pins host memory while it is alive, so that devices copy to it at full speed.
class PinnedMemory {
public:
    virtual ~PinnedMemory() = default;
};

/// Throws Error{kEnvironment} with the size if the system fails.
std::unique_ptr<PinnedMemory> pin_memory(void* memory, std::size_t bytes);

/// Copies the first `to.size()` vertices to the host and waits for them.
void download(const DeviceFrameBuffer& from, std::span<Vec4f> to);

}  // namespace orrery
