// SPDX-License-Identifier: MIT
// The uniform blocks of successive dispatches.
#pragma once
#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include "core/gl/functions.hpp"

namespace orrery::gl {

/// Uniform buffers in turn, so that a dispatch need not wait for the previous one. With OpenGL 4.4, slots of one mapped
/// buffer: copying the arguments is then no command of the driver. Use it on the thread of the context.
class ArgumentRing {
public:
    static constexpr std::size_t kSlotBytes = 512;  ///< a multiple of every driver's alignment

    void open(const Functions& f);
    std::vector<GLuint> names() const;  ///< of its buffers
    void forget() { *this = {}; }       ///< after the context has ended
    /// Binds these arguments, at most kSlotBytes, to the uniform block 0 of the next dispatch.
    void bind(const Functions& f, std::span<const std::byte> arguments);

private:
    static constexpr std::size_t kSlots = 256, kOfSegment = 64;

    void wait_for_segment(const Functions& f, std::size_t segment);

    std::array<GLuint, 16> buffers_{};  // without mapping
    GLuint mapped_ = 0;
    std::byte* memory_ = nullptr;
    std::array<GLsync, kSlots / kOfSegment> used_{};  // after the last dispatch with a slot of the segment
    std::size_t turn_ = 0;
};

}  // namespace orrery::gl
