// SPDX-License-Identifier: MIT
// shaders/absorb.glsl: light behind a slice after absorption by its dust, plus the light of the slice, which is mixed
// with the dust.
//   tex 0 slice_light   optical depth in V over its unit, light in red, green, blue
//   tex 1 behind        light and its colour terms
//   uniform 0 dust      extinction in red, green, blue over that in V; the unit of optical depth
//   shade               light and its colour terms
layout(binding = 0) uniform sampler2D slice_light;
layout(binding = 1) uniform sampler2D behind;
layout(location = 0) uniform vec4 dust;

vec4 shade(ivec2 pixel, vec2 uv) {
    vec4 own = texelFetch(slice_light, pixel, 0);
    vec3 depth = own.x * dust.w * dust.rgb, left = exp(-depth);
    vec3 mixed = mix((1.0 - left) / max(depth, 1e-6), 1.0 - 0.5 * depth, lessThan(depth, vec3(1e-3)));
    vec3 light = texelFetch(behind, pixel, 0).yzw * left + own.yzw * mixed;
    return vec4(dot(light, vec3(1.0 / 3.0)), light);
}
