// SPDX-License-Identifier: MIT
// shaders/trails.frag: the light of a trail, smooth at its edges. A trail shines as bright at any zoom: its light is
// a part of what is drawn white.
//   in  trail_place, strength, across   as trails.vert says
//   out light_added                     light and what it comes with, see color.glsl; blended one to one
#version 450 core
#include "view.glsl"
#include "color.glsl"
layout(location = 1) uniform vec3 look;
layout(location = 0) in float trail_place;
layout(location = 1) in float strength;
layout(location = 2) in float across;
layout(location = 0) out vec4 light_added;

void main() {
    float weight = strength * clamp(look.x + 0.5 - abs(across), 0.0, 1.0);
    light_added = light_of(clamp(trail_place, 0.0, 1.0)) * (weight * white);
}
