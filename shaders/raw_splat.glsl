// SPDX-License-Identifier: MIT
// shaders/raw_splat.glsl: the light of bodies before it is developed.
//   shade   light and its colour terms, see color.glsl
#include "view.glsl"
#include "light_splat.glsl"

vec4 shade(ivec2 pixel, vec2 uv) { return light_at(pixel); }
