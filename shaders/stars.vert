// SPDX-License-Identifier: MIT
// shaders/stars.vert: one point sprite per star of the background, no attributes.
//   ssbo 2 Stars      direction, light relative to the brightest; colour    app/render/stars_pass.hpp
//   uniform 0 look    σ of a star's disc in pixels, light of the brightest
//   out star_light    light, light × colour
// Needs view.glsl.
#version 450 core
#include "view.glsl"
layout(std430, binding = 2) readonly buffer Stars {
    vec4 sky[];
};
layout(location = 0) uniform vec2 look;
layout(location = 0) flat out vec4 star_light;

void main() {
    vec4 star = sky[2 * gl_VertexID];
    vec4 clip = clip_of_direction(star.xyz);  // w = 0: infinitely far, so only rotation moves it
    gl_Position = clip.w > 0.0 ? vec4(clip.xy, 0.0, clip.w) : vec4(0.0, 0.0, 2.0, 1.0);
    gl_PointSize = 6.0 * look.x;
    star_light = vec4(1.0, sky[2 * gl_VertexID + 1].rgb) * (star.w * look.y);
}
