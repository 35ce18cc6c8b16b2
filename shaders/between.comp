// SPDX-License-Identifier: MIT
// shaders/between.comp: bodies on the straight way between two states, with the colour scalar of the first.
//   ssbo 0 From, ssbo 2 To, ssbo 4 Between, as in core/bodies/frame.hpp
//   uniform 0 share  of the way; uniform 1 count: bodies in the bound range; uniform 2 edge of the periodic box from the
//   origin on, 0: none. Bodies inside the box move through its sides, as in core/physics/interpolated.hpp.
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
layout(location = 2) uniform float edge;

bool inside(vec3 x) { return all(greaterThanEqual(x, vec3(0.0))) && all(lessThanEqual(x, vec3(edge))); }

vec3 between_points(vec3 a, vec3 b) {
    if (!(edge > 0.0) || !inside(a) || !inside(b)) return mix(a, b, share);
    vec3 x = mix(a, b - edge * round((b - a) / edge), share);
    return x - edge * floor(x / edge);
}

void main() {
    uint index = (gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x) * 256u + gl_LocalInvocationID.x;
    if (index < count) between[index] = vec4(between_points(from[index].xyz, to[index].xyz), from[index].w);
}
