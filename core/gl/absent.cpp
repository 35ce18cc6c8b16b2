// SPDX-License-Identifier: MIT
// Replaces core/gl in a build without EGL.
#include "core/gl/info.hpp"

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
void reopen_lost_gl_device() {}

bool has_gl_hardware() { return false; }

}  // namespace orrery
