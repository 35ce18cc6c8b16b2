// SPDX-License-Identifier: MIT
// shaders/dust_bins.comp: amount of dust in each bin of depth.
//   ssbo 0 Bodies     as in splat.glsl
//   ssbo 1 Bins       zeroed before
//   ssbo 5 Lights     as in bands.glsl
//   uniform 0 scale   units per absorbing area, distance of the camera's target
#version 450 core
#include "view.glsl"
#include "dust_bins.glsl"
layout(local_size_x = 256) in;
layout(std430, binding = 0) readonly buffer Bodies {
    vec4 bodies[];
};
layout(std430, binding = 1) buffer Bins {
    uint dust_of_bin[];
};
layout(std430, binding = 5) readonly buffer Lights {
    vec4 lights[];
};
layout(location = 0) uniform vec2 scale;

void add_dust(vec3 place, float area) {
    vec4 clip = clip_of(place);
    bool seen = clip.z >= -clip.w && all(lessThan(abs(clip.xy), vec2(1.5 * clip.w)));
    if (!(area > 0.0) || !seen || sliced_off(place)) return;
    atomicAdd(dust_of_bin[bin_of(depth_of(place, clip), scale.y)], uint(min(area * scale.x, 65536.0) + 0.5));
}

void main() {
    uint index = (gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x) * 256u + gl_LocalInvocationID.x;
    if (index >= uint(vertices)) return;
    for (int copy = 0; copy < copies(); ++copy) add_dust(placed(bodies[index].xyz, copy), lights[index].w);
}
