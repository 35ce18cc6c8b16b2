// SPDX-License-Identifier: MIT
// shaders/raw_points.glsl: the light of bodies as it lies, before it is developed.
//   shade   light and what it comes with, see color.glsl
#include "view.glsl"
#include "light_points.glsl"

vec4 shade(ivec2 pixel, vec2 uv) { return light_at(pixel); }
