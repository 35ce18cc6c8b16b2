// SPDX-License-Identifier: MIT
// shaders/light_points.glsl: the light that sprites have added.
//   tex 0 light_map   light and what it comes with, see color.glsl
layout(binding = 0) uniform sampler2D light_map;

vec4 light_at(ivec2 pixel) { return texelFetch(light_map, pixel, 0); }
