// SPDX-License-Identifier: MIT
// shaders/shrink.frag: a quarter of the width and of the height; each pixel is the mean of 4 × 4.
//   in  uv
//   tex 0 wide       linear filter
//   out narrow
#version 450 core
layout(location = 0) in vec2 uv;
layout(binding = 0) uniform sampler2D wide;
layout(location = 0) out vec4 narrow;

void main() {
    vec2 pixel = 1.0 / vec2(textureSize(wide, 0));
    narrow = 0.25 * (textureLod(wide, uv + pixel * vec2(-1.0, -1.0), 0.0) + textureLod(wide, uv + pixel * vec2(1.0, -1.0), 0.0) +
                     textureLod(wide, uv + pixel * vec2(-1.0, 1.0), 0.0) + textureLod(wide, uv + pixel * vec2(1.0, 1.0), 0.0));
}
