// SPDX-License-Identifier: MIT
// shaders/light_points.glsl: the light added by sprites.
//   tex 0 light_map   light and its colour terms, see color.glsl
layout(binding = 0) uniform sampler2D light_map;

vec4 light_at(ivec2 pixel) { return texelFetch(light_map, pixel, 0); }
