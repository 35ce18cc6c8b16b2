// SPDX-License-Identifier: MIT
// shaders/draw_list.frag: glyphs and shapes of ImGui's draw lists.
//   in tint, at        shaders/draw_list.vert
//   sampler 0          glyphs; white where shapes are filled
#version 450 core
layout(binding = 0) uniform sampler2D letters;
layout(location = 0) in vec4 tint;
layout(location = 1) in vec2 at;
layout(location = 0) out vec4 color;

void main() { color = tint * texture(letters, at); }
