// SPDX-License-Identifier: MIT
// Replaces core/gl in a build without EGL.
#include "core/gl/info.hpp"
#include "core/gl/sharing.hpp"

namespace orrery {

const GlComputeInfo& gl_compute_info() {
    static const GlComputeInfo none{.available = false,
                                    .reason =
                                        "this build has no OpenGL engines (EGL's headers were not found, or "
                                        "ORRERY_GL is off)",
                                    .devices = {}};
    return none;
}

void choose_gl_device(const std::string&) {}
void change_gl_device(const std::string&) {}
std::string choice_of(const GlDeviceInfo&) { return {}; }
void reopen_lost_gl_device() {}

bool has_gl_hardware() { return false; }

}  // namespace orrery

namespace orrery::gl {

std::optional<SharedContext> context_on(void*) { return std::nullopt; }
Drawer::Drawer(std::shared_ptr<ContextSource>) {}
Drawer::Drawer(Shares, std::shared_ptr<ContextSource>) {}
Drawer::~Drawer() = default;
std::string why_frames_are_copied() { return gl_compute_info().reason; }
bool frames_are_shared_here() { return false; }
Traffic traffic() { return {}; }

struct FrameBuffer::Memory {};
FrameBuffer::FrameBuffer(std::size_t count) : count_{count} {}  // no engine makes one
FrameBuffer::~FrameBuffer() = default;
unsigned FrameBuffer::name() const { return 0; }
bool FrameBuffer::stale() const { return true; }
std::vector<Vec4f> FrameBuffer::read() const { return std::vector<Vec4f>(count_); }
void FrameBuffer::begin_writing() {}
void FrameBuffer::end_writing() {}
void FrameBuffer::add_reader(void*) {}

}  // namespace orrery::gl
