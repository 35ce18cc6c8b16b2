// SPDX-License-Identifier: MIT
// shaders/trail_light.glsl: the light of trails, where there are some. Software GL takes both ways of a branch, so pictures
// without LAYERS, trails or stars, have shaders of their own.
//   tex 2 trail_map   light and what it comes with, see color.glsl
// Needs view.glsl.
#ifdef LAYERS
layout(binding = 2) uniform sampler2D trail_map;

vec4 trail_at(ivec2 pixel) { return trails == 0 ? vec4(0.0) : texelFetch(trail_map, pixel, 0); }
#else
vec4 trail_at(ivec2 pixel) { return vec4(0.0); }
#endif
