// SPDX-License-Identifier: MIT
// Frames without a copy: the context of the device that computes shares its objects with a context that draws.
// This header includes no header of OpenGL, because those of the two sides exclude each other.
#pragma once
#include <atomic>
#include <cstddef>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "core/base/vec.hpp"

namespace orrery::gl {

using Loader = void (*(*)(const char*))();

/// Makes contexts that share objects with a context that draws.
class ContextSource {
public:
    virtual ~ContextSource() = default;
    virtual std::string description() const = 0;  ///< as the place of a device: "the window"
    virtual bool software() const = 0;            ///< draws on the CPU
    /// Makes such a context current in the calling thread and returns its loader. Null if that fails; `why_not` then
    /// gives the reason.
    virtual Loader make_current(std::string& why_not) = 0;
    virtual void release() = 0;  ///< in the same thread: ends that context, or makes it current in none
};

/// The context of the device, for contexts that draw to be made with the same objects.
struct SharedContext {
    void* egl_context = nullptr;
    bool notified = false;  ///< of resets; both contexts must agree
};
/// Nothing unless the device is open on this EGL display.
std::optional<SharedContext> context_on(void* egl_display);

/// A context that draws, from its creation to its end; in the thread in which it is current. Frames are shared while
/// exactly one exists and the device has a context that shares its objects.
class Drawer {
public:
    /// The device uses this source from its next opening on; at once if it has no buffers.
    explicit Drawer(std::shared_ptr<ContextSource> source);
    /// A context made with those objects of context_on(). The source is used if the device is opened again.
    struct Shares {};
    explicit Drawer(Shares, std::shared_ptr<ContextSource> source = {});
    Drawer(const Drawer&) = delete;
    Drawer& operator=(const Drawer&) = delete;
    ~Drawer();

    std::thread::id thread() const { return thread_; }
    const std::shared_ptr<ContextSource>& source() const { return source_; }
    /// Generation of the device whose objects the context was made with; nothing without Shares.
    std::optional<std::uint64_t> generation() const { return generation_; }

private:
    std::thread::id thread_ = std::this_thread::get_id();
    std::shared_ptr<ContextSource> source_;  ///< may be null
    std::optional<std::uint64_t> generation_;
};

/// Why frames are copied through host memory, in one line; empty if they are shared.
std::string why_frames_are_copied();
/// True if frames are shared with the context that draws in this thread.
bool frames_are_shared_here();

/// Bytes that the host has read from and written to buffers of the device since the program started.
struct Traffic {
    std::uint64_t read = 0, written = 0;
};
Traffic traffic();

/// The vertices of a Frame in a device buffer, shared with the context that draws.
class FrameBuffer {
public:
    /// Throws Error{kEnvironment} if the memory of the device does not suffice.
    explicit FrameBuffer(std::size_t count);
    FrameBuffer(const FrameBuffer&) = delete;
    FrameBuffer& operator=(const FrameBuffer&) = delete;
    ~FrameBuffer();

    std::size_t size() const { return count_; }
    unsigned name() const;
    bool stale() const;  ///< the device was opened again: the buffer has no memory
    /// The vertices, through host memory. Waits. Throws DeviceLost if the buffer is stale.
    std::vector<Vec4f> read() const;

    /// On the device's thread, around the commands that write the vertices.
    void begin_writing();
    void end_writing();
    /// In the context that draws: the fence (GLsync) after which the vertices are complete, and the fence after the
    /// last command that reads them, of which the buffer takes ownership.
    void* written() const { return written_; }
    void add_reader(void* fence);

private:
    struct Memory;
    std::size_t count_;
    std::unique_ptr<Memory> memory_;
    void* written_ = nullptr;
    std::mutex mutex_;
    std::vector<void*> read_;  ///< fences of contexts that draw
};

/// The source of the only Drawer; null if there is none or several, or it has no source.
std::shared_ptr<ContextSource> offered_source();

}  // namespace orrery::gl
