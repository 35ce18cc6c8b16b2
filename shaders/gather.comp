// SPDX-License-Identifier: MIT
// shaders/gather.comp: copies selected bodies next to each other, in their order.
//   ssbo 0 Bodies   of the frame, from the body range.x on
//   ssbo 2 Rows     indices in the frame of the selected bodies
//   ssbo 4 Chosen   the selected bodies, as Bodies; it and Rows are bound from the same index on
//   uniform 0 range first bound body of the frame, their number, length of Rows
#version 450 core
layout(local_size_x = 256) in;
layout(std430, binding = 0) readonly buffer Bodies {
    vec4 bodies[];
};
layout(std430, binding = 2) readonly buffer Rows {
    uint rows[];
};
layout(std430, binding = 4) writeonly buffer Chosen {
    vec4 chosen[];
};
layout(location = 0) uniform uvec3 range;

void main() {
    uint index = (gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x) * 256u + gl_LocalInvocationID.x;
    if (index >= range.z) return;
    uint row = rows[index] - range.x;  // wraps to a huge number for earlier bodies
    if (row < range.y) chosen[index] = bodies[row];
}
