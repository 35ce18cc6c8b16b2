// SPDX-License-Identifier: MIT
// shaders/cells.frag: the light of a line with smooth edges.
//   in  tint, across  see cells.vert
//   out light         colour × weight, weight; blended one to one
#version 450 core
layout(location = 0) uniform vec4 look;
layout(location = 0) in vec4 tint;
layout(location = 1) in float across;
layout(location = 0) out vec4 light;

void main() {
    float weight = tint.w * clamp(look.x + 0.5 - abs(across), 0.0, 1.0);
    light = vec4(tint.rgb * weight, weight);
}
