// SPDX-License-Identifier: MIT
// shaders/trail_light.glsl: the light of trails, if there are any. Software GL executes both sides of a branch, so
// frames without LAYERS (trails or stars) use separate shaders.
//   tex 2 trail_map   light and its colour terms, see color.glsl
// Needs view.glsl.
#ifdef LAYERS
layout(binding = 2) uniform sampler2D trail_map;

vec4 trail_at(ivec2 pixel) { return trails == 0 ? vec4(0.0) : texelFetch(trail_map, pixel, 0); }
#else
vec4 trail_at(ivec2 pixel) { return vec4(0.0); }
#endif
