// SPDX-License-Identifier: MIT
// shaders/cells.frag: a line's light, smooth at its edges.
//   in  tint, across  as cells.vert says
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
