// SPDX-License-Identifier: MIT
#include "app/render/render_target.hpp"

namespace orrery {

RenderTarget::RenderTarget(int width, int height)
    : color_{GL_RGBA8, width, height, Filter::kNearest}, framebuffer_{color_} {}

}  // namespace orrery
