// SPDX-License-Identifier: MIT
// shaders/star_light.glsl: the light of the sky's stars, where they are wanted.
//   tex 3 star_map   light, light × colour
// Needs view.glsl.
layout(binding = 3) uniform sampler2D star_map;

vec4 star_at(ivec2 pixel) { return stars == 0 ? vec4(0.0) : texelFetch(star_map, pixel, 0); }
