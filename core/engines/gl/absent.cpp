// SPDX-License-Identifier: MIT
// Replaces core/engines/gl in a build without EGL.
#include "core/engines/entries.hpp"

namespace orrery {

std::span<const EngineEntry> gl_engines() { return {}; }

}  // namespace orrery
