// SPDX-License-Identifier: MIT
// shaders/cells.vert: an edge of a tree's cells as a band of constant width; six vertices, one edge per instance, no
// attributes.
//   ssbo 2 Edges     per edge: an end and the length, the other end and the colour   app/render/scene_lines.cpp
//   out  tint        sRGB in 0..1, w = weight
//   out  across      pixels from the middle of the line
// Needs view.glsl.
#version 450 core
#include "view.glsl"
layout(std430, binding = 2) readonly buffer Edges {
    vec4 edges[];
};
layout(location = 0) uniform vec4 look;  // half of a line's width in pixels, opacity, depth of the camera's target,
                                         // pixels per length at depth 1
layout(location = 0) out vec4 tint;
layout(location = 1) out float across;

const vec4 kNowhere = vec4(0.0, 0.0, 2.0, 1.0);

// Cells up to the camera's target are drawn fully; those behind it fade, and so do those close to the eye.
float fade(float depth) {
    float t = depth / look.z;
    return smoothstep(0.05, 0.5, t) / max(1.0, t * t * t);
}

void main() {
    vec4 a = edges[2 * gl_InstanceID], b = edges[2 * gl_InstanceID + 1];
    vec4 p = clip_from_world * vec4(a.xyz, 1.0), q = clip_from_world * vec4(b.xyz, 1.0);
    gl_Position = kNowhere;
    tint = vec4(0.0);
    across = 0.0;

    // Cells of a few pixels would only blur.
    vec4 packed_tint = unpackUnorm4x8(floatBitsToUint(b.w));
    float pixels = a.w * look.w / max(0.5 * (p.w + q.w), 1e-3 * look.z);
    float weight = packed_tint.a * look.y * smoothstep(3.0, 16.0, pixels);
    float near = 1e-3 * look.z;
    if (weight < 0.002 || max(p.w, q.w) < near) return;
    if (p.w < near) p = mix(p, q, (near - p.w) / (q.w - p.w));
    if (q.w < near) q = mix(q, p, (near - q.w) / (p.w - q.w));

    vec2 from = 0.5 * resolution * p.xy / p.w, step = 0.5 * resolution * q.xy / q.w - from;
    float run = length(step);
    vec2 along = run > 0.0 ? step / run : vec2(1.0, 0.0);
    int at = gl_VertexID < 3 ? gl_VertexID : 6 - gl_VertexID;  // two triangles: 0 1 2, 3 2 1
    across = (at & 1) == 0 ? -look.x - 0.5 : look.x + 0.5;
    float end = float(at >> 1);
    vec2 place = from + step * end + vec2(-along.y, along.x) * across;
    gl_Position = vec4(place / (0.5 * resolution), 0.0, 1.0);
    tint = vec4(packed_tint.rgb, weight * fade(mix(p.w, q.w, end)));
}
