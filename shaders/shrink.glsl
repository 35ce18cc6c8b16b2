// SPDX-License-Identifier: MIT
// shaders/shrink.glsl: reduces width and height to a quarter; each pixel is the mean of 4 × 4.
//   tex 0 wide       linear filter
layout(binding = 0) uniform sampler2D wide;

vec4 shade(ivec2 narrow, vec2 uv) {
    vec2 pixel = 1.0 / vec2(textureSize(wide, 0));
    return 0.25 * (textureLod(wide, uv + pixel * vec2(-1.0, -1.0), 0.0) + textureLod(wide, uv + pixel * vec2(1.0, -1.0), 0.0) +
                   textureLod(wide, uv + pixel * vec2(-1.0, 1.0), 0.0) + textureLod(wide, uv + pixel * vec2(1.0, 1.0), 0.0));
}
