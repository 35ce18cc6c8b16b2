// SPDX-License-Identifier: MIT
// shaders/smooth.glsl: a level of smoothed light: the light added there, plus the interpolated coarser level.
//   tex 0 light_sum   levels one after the other, as written by smooth.comp
//   tex 1 coarser     the next level, linear filter: repeated bilinear steps give a quadratic B-spline
//   uniform 0 shape   first texel of the level, its width, 1 if there is a coarser one, margin that is left out
//   shade             light and its colour terms, per texel
#include "view.glsl"
layout(binding = 0) uniform usamplerBuffer light_sum;
layout(binding = 1) uniform sampler2D coarser;
layout(location = 0) uniform ivec4 shape;
const float kMargin = 2.0;

vec4 shade(ivec2 texel, vec2 uv) {
    ivec2 at = texel + shape.w;
    vec4 sum = vec4(texelFetch(light_sum, shape.x + at.y * shape.y + at.x)) * light_unit;
    if (shape.z != 0) {
        vec2 there = 0.5 * (vec2(at) + 0.5 - kMargin) + kMargin;
        sum += 0.25 * textureLod(coarser, there / vec2(textureSize(coarser, 0)), 0.0);
    }
    return sum;
}
