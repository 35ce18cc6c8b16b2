// SPDX-License-Identifier: MIT
#pragma once
#include <string>

namespace orrery {

/// Properties of the current GL context.
struct GlInfo {
    std::string vendor, renderer, version;
    bool software = false;  ///< drawn by the CPU: llvmpipe, softpipe or swrast
};

/// For the context current in this thread; its functions must be loaded.
GlInfo query_gl_info();

/// In a debug build, prints the driver's messages to stderr when they occur; otherwise does nothing.
void install_gl_debug_output();

/// The version of the current context as major × 10 + minor: 45.
int gl_version_number();
inline constexpr int kRequiredGl = 45;

}  // namespace orrery
