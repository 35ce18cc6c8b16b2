// SPDX-License-Identifier: MIT
// Linked in place of core/bodies/gl in builds without EGL.
#include "core/base/error.hpp"
#include "core/bodies/engine_system.hpp"
#include "core/gl/info.hpp"

namespace orrery {

std::unique_ptr<BodySystem> make_gl_system(AnyEngine, const EngineConfig&, const EngineEntry&, const BodySource&) {
    environment_error(gl_compute_info().reason);
}

}  // namespace orrery
