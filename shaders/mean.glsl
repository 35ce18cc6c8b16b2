// SPDX-License-Identifier: MIT
// shaders/mean.glsl: see mean_points.glsl. Needs light_at().
layout(binding = 1) uniform sampler2D before;
layout(location = 0) uniform float share;
layout(location = 1) uniform int first;

vec4 shade(ivec2 pixel, vec2 uv) {
    return (first != 0 ? vec4(0.0) : texelFetch(before, pixel, 0)) + share * light_at(pixel);
}
