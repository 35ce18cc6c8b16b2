// SPDX-License-Identifier: MIT
// shaders/light_points.glsl: the light that sprites have added.
//   tex 0 light_map   light, light × place in the colour map
layout(binding = 0) uniform sampler2D light_map;

vec2 light_at(ivec2 pixel) { return texelFetch(light_map, pixel, 0).rg; }
