// SPDX-License-Identifier: MIT
// shaders/draw_list.vert: a vertex of ImGui's draw lists, for frames without a window.
//   ssbo 2 Vertices    x, y in pixels from the upper left; u, v; RGBA in four bytes    imgui.h: ImDrawVert
//   uniform 0          2 / size of the frame
//   out tint, at       colour, position in the glyph texture
#version 450 core
layout(std430, binding = 2) readonly buffer Vertices {
    uint words[];
};
layout(location = 0) uniform vec2 per_pixel;
layout(location = 0) out vec4 tint;
layout(location = 1) out vec2 at;

void main() {
    int first = 5 * gl_VertexID;
    vec2 place = vec2(uintBitsToFloat(words[first]), uintBitsToFloat(words[first + 1]));
    at = vec2(uintBitsToFloat(words[first + 2]), uintBitsToFloat(words[first + 3]));
    tint = unpackUnorm4x8(words[first + 4]);
    gl_Position = vec4(place.x * per_pixel.x - 1.0, 1.0 - place.y * per_pixel.y, 0.0, 1.0);
}
