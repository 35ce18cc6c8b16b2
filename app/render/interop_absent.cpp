// SPDX-License-Identifier: MIT
#include "app/render/interop.hpp"
#include "core/base/error.hpp"

namespace orrery {

std::unique_ptr<Interop> try_interop(GLuint, std::size_t, std::string& why_not) {
    why_not = "this build has no CUDA";
    return nullptr;
}

std::unique_ptr<BufferReader> try_buffer_reader(GLuint, std::string& why_not) {
    why_not = "this build has no CUDA";
    return nullptr;
}

std::unique_ptr<PinnedMemory> pin_memory(void*, std::size_t) {
    environment_error("memory cannot be pinned: this build has no CUDA");
}

void download(const DeviceFrameBuffer&, std::span<Vec4f>) {
    environment_error("a frame is in device memory, but this build has no CUDA");
}

}  // namespace orrery
