// SPDX-License-Identifier: MIT
// shaders/between.comp: bodies on the straight way between two states, with the colour scalar of the first.
//   ssbo 0 From, ssbo 2 To, ssbo 4 Between, as in core/bodies/frame.hpp
//   uniform 0 share  of the way; uniform 1 count: bodies in the bound range
#version 450 core
layout(local_size_x = 256) in;
layout(std430, binding = 0) readonly buffer From {
    vec4 from[];
};
layout(std430, binding = 2) readonly buffer To {
    vec4 to[];
};
layout(std430, binding = 4) writeonly buffer Between {
    vec4 between[];
};
layout(location = 0) uniform float share;
layout(location = 1) uniform uint count;

void main() {
    uint index = (gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x) * 256u + gl_LocalInvocationID.x;
    if (index < count) between[index] = vec4(mix(from[index].xyz, to[index].xyz, share), from[index].w);
}
