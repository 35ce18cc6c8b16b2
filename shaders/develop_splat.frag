// SPDX-License-Identifier: MIT
// shaders/develop_splat.frag: brightness from the light that splat.comp has added.
//   ssbo 1 Light     three fixed-point numbers per pixel
//   out brightness   linear RGB, 1 is about white
#version 450 core
#include "view.glsl"
#include "develop.glsl"
layout(std430, binding = 1) readonly buffer Light {
    uint light_sum[];
};
layout(location = 0) out vec4 brightness;

void main() {
    ivec2 pixel = ivec2(gl_FragCoord.xy);
    int at = 3 * (pixel.y * int(resolution.x) + pixel.x);
    uvec3 units = uvec3(light_sum[at], light_sum[at + 1], light_sum[at + 2]);
    brightness = vec4(develop(vec3(units) / fixed_scale), 1.0);
}
