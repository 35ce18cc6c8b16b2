// SPDX-License-Identifier: MIT
// shaders/panels.vert: a vertex of ImGui's draw lists, in the window of software GL.
//   in  place, uv, col   imgui.h: ImDrawVert
//   uniform 0            upper left, 2 / size of the window, in ImGui's coordinates
//   out tint, at         colour, position in the texture
#version 450 core
layout(location = 0) in vec2 place;
layout(location = 1) in vec2 uv;
layout(location = 2) in vec4 col;
layout(location = 0) uniform vec4 window;
layout(location = 0) out vec4 tint;
layout(location = 1) out vec2 at;

void main() {
    tint = col;
    at = uv;
    vec2 from = (place - window.xy) * window.zw;
    gl_Position = vec4(from.x - 1.0, 1.0 - from.y, 0.0, 1.0);
}
