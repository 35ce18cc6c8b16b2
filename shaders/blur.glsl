// SPDX-License-Identifier: MIT
// shaders/blur.glsl: a Gaussian of σ = 2 pixels along one axis; the last pass adds a wider glow.
//   uniform 0 along   one pixel along the axis, in uv
//   uniform 1 share   weight of tex 1 in the sum; 0: tex 1 is not read
//   tex 0 image       linear filter: nine taps in five reads
//   tex 1 wider
layout(location = 0) uniform vec2 along;
layout(location = 1) uniform float share;
layout(binding = 0) uniform sampler2D image;
layout(binding = 1) uniform sampler2D wider;

vec4 pair(vec2 uv, float offset) {
    return textureLod(image, uv + offset * along, 0.0) + textureLod(image, uv - offset * along, 0.0);
}

vec4 shade(ivec2 pixel, vec2 uv) {
    // Weights exp(-k²/8) over k = -4..4; neighbours 1, 2 and 3, 4 are each read by one fetch between them.
    vec4 sum = 0.204164 * textureLod(image, uv, 0.0) + 0.304005 * pair(uv, 1.407333) + 0.093913 * pair(uv, 3.294215);
    if (share > 0.0) sum = mix(sum, textureLod(wider, uv, 0.0), share);
    return sum;
}
