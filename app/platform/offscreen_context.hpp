// SPDX-License-Identifier: MIT
#pragma once
#include <memory>
#include <string>

#include "app/render/gl/gl_info.hpp"

namespace orrery {

/// An OpenGL 4.5 core context without window or display, current in the thread that made it until it is destroyed.
/// Tried in order: the EGL device that is CUDA device `cuda_device` (-1: none), every other EGL device with hardware
/// rendering, every one that renders on the CPU, and surfaceless Mesa. EGL is loaded here; the program does not link
/// it.
class OffscreenContext {
public:
    /// Throws Error{kEnvironment}, one line with everything tried and why it failed.
    explicit OffscreenContext(int cuda_device = -1);
    OffscreenContext(OffscreenContext&&) noexcept;
    OffscreenContext& operator=(OffscreenContext&&) noexcept;
    ~OffscreenContext();

    const GlInfo& gl_info() const noexcept;
    /// "EGL device 0 (CUDA device 0)", "surfaceless Mesa".
    const std::string& description() const noexcept;
    void make_current();

private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace orrery
