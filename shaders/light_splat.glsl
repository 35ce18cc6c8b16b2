// SPDX-License-Identifier: MIT
// shaders/light_splat.glsl: the light that splat.comp has added.
//   tex 0 light_sum   that buffer, seen as texels: software GL reads one texel faster than two numbers
// Needs view.glsl.
layout(binding = 0) uniform usamplerBuffer light_sum;

vec2 light_at(ivec2 pixel) {
    return vec2(texelFetch(light_sum, pixel.y * int(resolution.x) + pixel.x).rg) * light_unit;
}
