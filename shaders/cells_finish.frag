// SPDX-License-Identifier: MIT
// shaders/cells_finish.frag: the lines over the frame. Overlapping lines take their mean colour, which keeps them from
// turning white.
//   tex 0 lines   colour × weight, weight
//   out color     sRGB in 0..1, to be screened over the frame: a + b - a·b
#version 450 core
layout(binding = 0) uniform sampler2D lines;
layout(location = 0) out vec4 color;

void main() {
    vec4 sum = texelFetch(lines, ivec2(gl_FragCoord.xy), 0);
    if (!(sum.w > 0.0)) discard;
    color = vec4(sum.rgb / sum.w * (1.0 - exp(-sum.w)), 1.0);
}
