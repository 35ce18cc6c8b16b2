// SPDX-License-Identifier: MIT
#include "app/render/render_target.hpp"

namespace orrery {

RenderTarget::RenderTarget(int width, int height) : canvas_{GL_RGBA8, width, height, Filter::kNearest} {}

}  // namespace orrery
