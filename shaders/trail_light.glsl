// SPDX-License-Identifier: MIT
// shaders/trail_light.glsl: the light of trails, where there are some.
//   tex 2 trail_map   light and what it comes with, see color.glsl
// Needs view.glsl.
layout(binding = 2) uniform sampler2D trail_map;

vec4 trail_at(ivec2 pixel) { return trails == 0 ? vec4(0.0) : texelFetch(trail_map, pixel, 0); }
