// SPDX-License-Identifier: MIT
// shaders/screen.vert: one triangle that covers the frame; three vertices, no attributes.
//   out screen_uv   0 to 1 over the frame
#version 450 core
layout(location = 0) out vec2 screen_uv;

void main() {
    screen_uv = vec2(gl_VertexID & 1, gl_VertexID >> 1) * 2.0;
    gl_Position = vec4(screen_uv * 2.0 - 1.0, 0.0, 1.0);
}
