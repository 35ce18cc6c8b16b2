// SPDX-License-Identifier: MIT
// shaders/trails.vert: a body's past as a band of constant width that fades backward; six vertices per segment, one
// body in one copy of a periodic box per instance, no attributes. Segment 0 runs from the body to its newest stored
// position, the next from there backward.
//   ssbo 0 Bodies    as in trail_take.comp
//   ssbo 4 Ring      as in trail_take.comp
//   out  trail_place position in the colour map, 0 to 1
//   out  strength    of the light, 0 to 1
//   out  across      pixels from the middle of the band
//   out  head        current position of the body, in pixels of the frame
// Needs view.glsl, color.glsl.
#version 450 core
#include "view.glsl"
#include "color.glsl"
layout(std430, binding = 0) readonly buffer Bodies {
    vec4 bodies[];
};
layout(std430, binding = 4) readonly buffer Ring {
    vec4 ring[];
};
layout(location = 0) uniform uvec4 shape;  // number of trails, stride in bodies, newest slot, number of slots
layout(location = 1) uniform vec3 look;    // half of the width in pixels, opacity, segments of a whole trail
layout(location = 0) out float trail_place;
layout(location = 1) out float strength;
layout(location = 2) out float across;
layout(location = 3) flat out vec2 head;

const float present_color = -1e38;  // core/bodies/frame.hpp: a position without a stored colour

vec4 place_of(uint trail, uint age) {
    if (age == 0u) return bodies[trail * shape.y];
    uint slot = (shape.z + shape.w - (age - 1u)) % shape.w;
    return ring[slot * shape.x + trail];
}

bool seen(vec4 clip) { return dot(abs(clip), vec4(1.0)) < 3e38 && clip.z >= -clip.w && clip.w > 0.0; }

void main() {
    uint trail = uint(gl_InstanceID / copies()), piece = uint(gl_VertexID) / 6u;
    int copy = gl_InstanceID % copies(), corner = gl_VertexID % 6;
    vec4 a = place_of(trail, piece), b = place_of(trail, piece + 1u);
    vec3 newer = placed(a.xyz, copy);
    vec4 p = clip_of(newer), q = clip_of(nearest_image(b.xyz, newer));
    gl_Position = vec4(0.0, 0.0, 2.0, 1.0);
    trail_place = strength = across = 0.0;
    head = vec2(-1e9);
    vec4 now = bodies[trail * shape.y];
    vec3 here = placed(now.xyz, copy);
    if (!seen(p) || !seen(q) || sliced_off(here)) return;
    if (lens != 0 && abs(p.x - q.x) > 1.0) return;  // crosses the seam of a panorama

    vec2 from = 0.5 * resolution * p.xy / p.w, step = 0.5 * resolution * q.xy / q.w - from;
    float run = length(step);
    vec2 along = run > 0.0 ? step / run : vec2(1.0, 0.0);
    int at = corner < 3 ? corner : 6 - corner;  // two triangles: 0 1 2, 3 2 1
    across = (at & 1) == 0 ? -look.x - 0.5 : look.x + 0.5;
    float end = float(at >> 1);
    vec2 place = from + step * end + vec2(-along.y, along.x) * across;
    gl_Position = vec4(place / (0.5 * resolution), 0.0, 1.0);
    float left = max(1.0 - (float(piece) + end) / look.z, 0.0);
    strength = look.y * left * left;
    float color = end == 0.0 ? a.w : b.w;
    trail_place = place_in_map(color > present_color ? color : now.w);
    vec4 at_now = clip_of(here);
    if (seen(at_now)) head = 0.5 * resolution * (at_now.xy / at_now.w + 1.0);
}
