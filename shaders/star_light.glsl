// SPDX-License-Identifier: MIT
// shaders/star_light.glsl: the light of the background stars, if they are drawn.
//   tex 3 star_map   light, light × colour
// Needs view.glsl.
#ifdef LAYERS
layout(binding = 3) uniform sampler2D star_map;

bool has_stars() { return stars != 0; }
vec4 star_at(ivec2 pixel) { return stars == 0 ? vec4(0.0) : texelFetch(star_map, pixel, 0); }
#else
bool has_stars() { return false; }
vec4 star_at(ivec2 pixel) { return vec4(0.0); }
#endif
