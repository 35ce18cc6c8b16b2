// SPDX-License-Identifier: MIT
// shaders/screen.frag: runs one of the .glsl files that define `vec4 shade(ivec2 pixel, vec2 uv)` over the whole frame.
//   in  uv
//   out shaded
#version 450 core
#include SHADE
layout(location = 0) in vec2 screen_uv;
layout(location = 0) out vec4 shaded;

void main() { shaded = shade(ivec2(gl_FragCoord.xy), screen_uv); }
