// SPDX-License-Identifier: MIT
// shaders/light_splat.glsl: the light added by splat.comp.
//   tex 0 light_sum   that buffer as texels: software GL reads one texel faster than its separate numbers
// Needs view.glsl.
layout(binding = 0) uniform usamplerBuffer light_sum;

vec4 light_at(ivec2 pixel) {
    return vec4(texelFetch(light_sum, pixel.y * int(resolution.x) + pixel.x)) * light_unit;
}
