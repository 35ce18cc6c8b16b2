// SPDX-License-Identifier: MIT
// shaders/splat.comp: see splat.glsl.
//   ssbo 1 Light    two or four numbers per pixel, zeroed before this pass
#version 450 core
#include "view.glsl"
#include "color.glsl"
#include "bands.glsl"
#include "spheres.glsl"
layout(std430, binding = 1) buffer Light {
    uint light_sum[];
};

void add_units(int pixel, uvec4 units) {
    int at = (hues == 0 ? 2 : 4) * pixel;
    atomicAdd(light_sum[at], units.x);
    atomicAdd(light_sum[at + 1], units.y);
    if (hues == 0) return;
    atomicAdd(light_sum[at + 2], units.z);
    atomicAdd(light_sum[at + 3], units.w);
}
#include "splat.glsl"
