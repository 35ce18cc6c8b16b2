// SPDX-License-Identifier: MIT
// shaders/splat.comp: adds the light of each body to the four pixels round it. Integers, so that the order in which
// bodies come does not matter.
//   ssbo 0 Bodies   xyz in lengths of the scene, w = colour scalar   core/bodies/frame.hpp
//   ssbo 1 Light    two fixed-point numbers per pixel, light and light × place in the colour map;
//                   rows from below; zeroed before
#version 450 core
#include "view.glsl"
#include "color.glsl"
layout(local_size_x = 256) in;
layout(std430, binding = 0) readonly buffer Bodies {
    vec4 bodies[];
};
layout(std430, binding = 1) buffer Light {
    uint light_sum[];
};

void add(ivec2 pixel, vec2 amount) {
    if (any(lessThan(pixel, ivec2(0))) || any(greaterThanEqual(pixel, ivec2(resolution)))) return;
    int at = 2 * (pixel.y * int(resolution.x) + pixel.x);
    uvec2 units = uvec2(amount + 0.5);
    atomicAdd(light_sum[at], units.x);
    atomicAdd(light_sum[at + 1], units.y);
}

void main() {
    // Two dimensions of groups: one alone ends at 65535 in some drivers.
    uint group = gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x;
    uint index = group * 256u + gl_LocalInvocationID.x;
    if (index >= uint(vertices)) return;
    vec4 body = bodies[index];
    vec4 clip = clip_from_world * vec4(body.xyz, 1.0);
    if (!(clip.z >= -clip.w)) return;  // behind the camera, or not a number
    vec2 place = (clip.xy / clip.w * 0.5 + 0.5) * resolution - 0.5;
    if (!(all(greaterThan(place, vec2(-1.0))) && all(lessThan(place, resolution)))) return;
    ivec2 corner = ivec2(floor(place));
    vec2 right = place - vec2(corner), left = 1.0 - right;
    vec2 amount = vec2(1.0, place_in_map(body.w)) * (light * fixed_scale);
    add(corner, amount * (left.x * left.y));
    add(corner + ivec2(1, 0), amount * (right.x * left.y));
    add(corner + ivec2(0, 1), amount * (left.x * right.y));
    add(corner + ivec2(1, 1), amount * (right.x * right.y));
}
