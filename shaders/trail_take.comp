// SPDX-License-Identifier: MIT
// shaders/trail_take.comp: stores the position of every `stride`th body in one slot of the ring of past positions.
//   ssbo 0 Bodies   xyz in lengths of the scene, w = colour scalar   core/bodies/frame.hpp
//   ssbo 4 Ring     [slot][trail], as Bodies
//   uniform 0       number of trails, stride in bodies, first index of the slot
#version 450 core
layout(local_size_x = 256) in;
layout(std430, binding = 0) readonly buffer Bodies {
    vec4 bodies[];
};
layout(std430, binding = 4) writeonly buffer Ring {
    vec4 ring[];
};
layout(location = 0) uniform uvec3 shape;

void main() {
    uint trail = (gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x) * 256u + gl_LocalInvocationID.x;
    if (trail < shape.x) ring[shape.z + trail] = bodies[trail * shape.y];
}
