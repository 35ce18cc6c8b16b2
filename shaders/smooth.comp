// SPDX-License-Identifier: MIT
// shaders/smooth.comp: spread.glsl with one body per invocation and additions directly to memory.
#version 450 core
#include "spread.glsl"
layout(local_size_x = 256) in;

void add(int level, ivec2 texel, int number, uvec4 units) { add_units(numbers() * number, units); }

void main() {
    uint group = gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x;
    uint index = group * 256u + gl_LocalInvocationID.x;
    if (index < uint(vertices)) spread_body(index);
}
