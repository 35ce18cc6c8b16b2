// SPDX-License-Identifier: MIT
// shaders/raw_splat.glsl: the light of bodies as it lies, before it is developed.
//   shade   light and what it comes with, see color.glsl
#include "view.glsl"
#include "light_splat.glsl"

vec4 shade(ivec2 pixel, vec2 uv) { return light_at(pixel); }
