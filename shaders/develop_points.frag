// SPDX-License-Identifier: MIT
// shaders/develop_points.frag: brightness from the light that sprites have added.
//   tex 0 light_map  linear RGB
//   out brightness   linear RGB, 1 is about white
#version 450 core
#include "view.glsl"
#include "develop.glsl"
layout(binding = 0) uniform sampler2D light_map;
layout(location = 0) out vec4 brightness;

void main() { brightness = vec4(develop(texelFetch(light_map, ivec2(gl_FragCoord.xy), 0).rgb), 1.0); }
