// SPDX-License-Identifier: MIT
#include "core/gl/sharing.hpp"

#include <algorithm>
#include <utility>

#include "core/gl/device.hpp"

namespace orrery::gl {
namespace {

struct Drawers {
    std::mutex mutex;
    std::vector<const Drawer*> all;
};
Drawers& drawers() {
    static auto* const existing = new Drawers;  // drawers of static lifetime may end later
    return *existing;
}

/// Call with the mutex of drawers().
std::string why_not_with(const std::vector<const Drawer*>& all) {
    if (all.empty()) return "no context draws";
    if (all.size() > 1) return "several contexts draw";
    const Device* const device = Device::if_open();
    if (!device) return "no OpenGL engine runs";
    const Drawer& only = *all.front();
    if (only.generation() == device->generation()) return "";
    if (only.source() && device->source() == only.source().get()) return "";
    return only.source() ? "the context that draws is not on the device that computes"
                         : "the device that computes was opened again";
}

GLsync sync_of(void* fence) { return static_cast<GLsync>(fence); }

}  // namespace

std::shared_ptr<ContextSource> offered_source() {
    const std::lock_guard lock{drawers().mutex};
    return drawers().all.size() == 1 ? drawers().all.front()->source() : nullptr;
}

std::optional<SharedContext> context_on(void* egl_display) {
    Device* const device = Device::if_open();
    return device ? device->shared_context(egl_display) : std::nullopt;
}

Drawer::Drawer(std::shared_ptr<ContextSource> source) : source_{std::move(source)} {
    {
        const std::lock_guard lock{drawers().mutex};
        drawers().all.push_back(this);
        if (drawers().all.size() > 1) return;
    }
    if (Device* const device = Device::if_open(); device && device->counts().buffers == 0) device->reopen();
}

Drawer::Drawer(Shares, std::shared_ptr<ContextSource> source) : source_{std::move(source)} {
    if (const Device* const device = Device::if_open()) generation_ = device->generation();
    const std::lock_guard lock{drawers().mutex};
    drawers().all.push_back(this);
}

Drawer::~Drawer() {
    {
        const std::lock_guard lock{drawers().mutex};
        std::erase(drawers().all, this);
    }
    if (source_)
        if (Device* const device = Device::if_open()) device->detach(*source_);
}

std::string why_frames_are_copied() {
    const std::lock_guard lock{drawers().mutex};
    return why_not_with(drawers().all);
}

bool frames_are_shared_here() {
    const std::lock_guard lock{drawers().mutex};
    return why_not_with(drawers().all).empty() && drawers().all.front()->thread() == std::this_thread::get_id();
}

Traffic traffic() {
    Device* const device = Device::if_open();
    return device ? Traffic{device->counts().read, device->counts().written} : Traffic{};
}

struct FrameBuffer::Memory {
    Buffer buffer;
    std::uint64_t generation;
};

FrameBuffer::FrameBuffer(std::size_t count)
    : count_{count},
      memory_{std::make_unique<Memory>(Buffer{std::max<std::size_t>(count, 1) * sizeof(Vec4f)},
                                       Device::get().generation())} {
    // Not deleted when the device is closed: a context may still draw from it.
    Device::get().run([this] { Device::get().counts().names.erase(name()); });
}

FrameBuffer::~FrameBuffer() {
    if (written_) read_.push_back(written_);
    Device& device = Device::of_objects();
    device.post([&device, fences = std::move(read_), generation = memory_->generation] {
        if (generation != device.generation()) return;
        for (void* const fence : fences) device.functions().delete_sync(sync_of(fence));
    });
}

unsigned FrameBuffer::name() const { return memory_->buffer.name(); }
bool FrameBuffer::stale() const { return memory_->buffer.stale(); }

std::vector<Vec4f> FrameBuffer::read() const {
    std::vector<Vec4f> vertices(count_);
    memory_->buffer.read(std::as_writable_bytes(std::span{vertices}));
    return vertices;
}

void FrameBuffer::begin_writing() {
    const Functions& f = Device::get().functions();
    std::vector<void*> readers;
    {
        const std::lock_guard lock{mutex_};
        readers = std::exchange(read_, {});
    }
    for (void* const fence : readers) {
        f.wait_sync(sync_of(fence), 0, GL_TIMEOUT_IGNORED);
        f.delete_sync(sync_of(fence));
    }
    if (written_) f.delete_sync(sync_of(std::exchange(written_, nullptr)));
}

void FrameBuffer::end_writing() {
    const Functions& f = Device::get().functions();
    f.memory_barrier(GL_VERTEX_ATTRIB_ARRAY_BARRIER_BIT | GL_SHADER_STORAGE_BARRIER_BIT | GL_BUFFER_UPDATE_BARRIER_BIT);
    written_ = f.fence_sync(GL_SYNC_GPU_COMMANDS_COMPLETE, 0);
    f.flush();  // otherwise the other context may wait without end
}

void FrameBuffer::add_reader(void* fence) {
    const std::lock_guard lock{mutex_};
    read_.push_back(fence);
}

}  // namespace orrery::gl
