// SPDX-License-Identifier: MIT
#pragma once
#include <string>

namespace orrery {

/// Properties of the current GL context.
struct GlInfo {
    std::string vendor, renderer, version;
    bool software = false;  ///< drawn by the CPU: llvmpipe, softpipe or swrast
};

/// For the context that is current in this thread; its functions must be loaded.
GlInfo query_gl_info();

/// In a debug build the driver prints its messages to stderr where they arise; a release build does nothing.
void install_gl_debug_output();

/// 4.5 as major × 10 + minor, of the current context.
int gl_version_number();
inline constexpr int kRequiredGl = 45;

}  // namespace orrery
