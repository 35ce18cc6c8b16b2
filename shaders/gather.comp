// SPDX-License-Identifier: MIT
// shaders/gather.comp: some of the bodies, side by side in their order.
//   ssbo 0 Bodies   of the frame, from the body range.x on
//   ssbo 2 Rows     which bodies of the frame are wanted
//   ssbo 4 Chosen   those, as Bodies; both this and Rows from the same place on
//   uniform 0 range first body of the frame that is bound, how many, how many of Rows
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
    uint row = rows[index] - range.x;  // of what lies before: huge
    if (row < range.y) chosen[index] = bodies[row];
}
